import type { Policy } from '@longreach/rules/policy'
import type { Translate } from '@longreach/ui/use-words'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { daysText } from '../../../parts/words/days-text.ts'
import { piecesOf, placeOf } from '../../../parts/words/sentence-text.ts'
import { isPolicyGroup, type SinglePart } from '../editor/policy-tree.ts'
import {
  actionsOf,
  daysPlaceOf,
  type DraftAction,
  type TriggerDraft,
} from '../editor/trigger-draft.ts'
import { valueAt } from '../../../parts/forms/draft-places.ts'
import { matcherText } from './matcher-text.ts'
import { phraseOf } from './policy-phrase.ts'

/** Piece of a sentence; one with a place stands for a field, and is `missing` where the field is empty. */
export type Token = { text: string; place?: string; missing?: boolean }

/** Words, language, and names of what a trigger knows by its id. */
export type Saying = {
  t: Translate
  locale: string
  groupName: (id: string) => string
}

type Said = Pick<TriggerDraft, 'policy' | 'deviceGroups' | 'actions' | 'longreach'>

/** Sentence of a trigger: when what happens on which devices, then what is done. */
export function sentenceTokens(draft: Said, saying: Saying): Token[] {
  return filled(saying.t('trigger.sentence', marks('policy', 'devices', 'actions')), {
    policy: policyTokens(draft.policy, saying),
    devices: deviceTokens(draft.deviceGroups, saying),
    actions: actionTokens(draft, saying),
  })
}

/** Sentence as plain text. */
export const textOfTokens = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join('')

const marks = (...names: string[]) => Object.fromEntries(names.map((name) => [name, placeOf(name)]))

/** Tokens of a message, with other tokens in place of its marks. */
const filled = (text: string, parts: Record<string, readonly Token[]>): Token[] =>
  piecesOf(text).flatMap((piece): readonly Token[] =>
    piece.kind === 'field' ? (parts[piece.name] ?? []) : [{ text: piece.text }],
  )

const joinedTokens = (lists: readonly (readonly Token[])[], between: string): Token[] =>
  lists.flatMap((tokens, index) => (index === 0 ? [...tokens] : [{ text: between }, ...tokens]))

/** Words of a policy, with and or or between the parts of its groups. */
export function policyTokens(policy: Policy, saying: Saying, place = 'policy'): Token[] {
  if (!isPolicyGroup(policy)) return partTokens(policy, saying, place)
  const { t } = saying
  const lists = policy.innerPolicies.map((part, index) =>
    policyTokens(part, saying, `${place}.innerPolicies.${index}`),
  )
  const between = t(policy.type === 'AND_OPERATOR' ? 'trigger.and' : 'trigger.or')
  const tokens = joinedTokens(lists, ` ${between} `)
  const isInner = place !== 'policy' && lists.length > 1
  return isInner ? [{ text: '(' }, ...tokens, { text: ')' }] : tokens
}

function partTokens(part: SinglePart, saying: Saying, place: string): Token[] {
  const { t, locale } = saying
  const { id, values, ends } = phraseOf(part)
  const write = new Intl.NumberFormat(locale, { maximumFractionDigits: 10 })
  const words = Object.entries(values).map(([name, { value, field }]) => {
    const text = typeof value === 'number' ? write.format(value) : matcherText(value ?? '', t)
    return [name, [fieldToken(text, `${place}.${field}`, missingWord(name, t))]] as const
  })
  const isLink = part.type === 'CONNECTION'
  const phrase = filled(
    t(`trigger.s.${id}`, marks('path', 'limit', 'min', 'max', 'by')),
    Object.fromEntries(words),
  )
  return [
    ...(isLink ? [{ text: textOfTokens(phrase), place: `${place}.status` }] : phrase),
    ...(ends ? [{ text: ` ${t('trigger.ends', ends)}` }] : []),
    ...lengthTokens(part, saying, place),
    ...skipTokens(part, saying, place),
  ]
}

const missingWord = (name: string, t: Translate) =>
  t(name === 'path' ? 'trigger.missing.path' : 'trigger.missing.value')

const fieldToken = (text: string, place: string, instead: string): Token =>
  text === '' ? { text: instead, place, missing: true } : { text, place }

function lengthTokens(part: SinglePart, { t, locale }: Saying, place: string): Token[] {
  const time = 'time' in part ? (part.time ?? 0) : 0
  if (time === 0) return []
  const length = [{ text: lengthText(time, locale), place: `${place}.time` }]
  return [{ text: ' ' }, ...filled(t('trigger.forTime', marks('time')), { time: length })]
}

function skipTokens(part: SinglePart, { t }: Saying, place: string): Token[] {
  const [count, field] =
    part.type === 'ON_CHANGED'
      ? [part.skipFirstNChanges, 'skipFirstNChanges']
      : part.type === 'ON_LEVEL'
        ? [part.skipFirstChanges, 'skipFirstChanges']
        : [0, '']
  return count === 0
    ? []
    : [{ text: ' ' }, { text: t('trigger.afterFirst', { count }), place: `${place}.${field}` }]
}

function deviceTokens(groups: readonly string[], { t, locale, groupName }: Saying): Token[] {
  if (groups.length === 0) return [{ text: t('trigger.onAll'), place: 'deviceGroups' }]
  const names = new Intl.ListFormat(locale, { type: 'disjunction' }).format(groups.map(groupName))
  return filled(t('trigger.onGroups', marks('groups')), {
    groups: [{ text: names, place: 'deviceGroups' }],
  })
}

function actionTokens(draft: Said, saying: Saying): Token[] {
  const { t } = saying
  const active = actionsOf(draft).filter(({ action }) => !action.disabled)
  if (active.length === 0) return [{ text: t('trigger.onlyCount'), place: 'actions' }]
  const lists = active.map(({ action, place }) => oneAction(action, place, saying))
  return joinedTokens(lists, ` ${t('trigger.and')} `)
}

function oneAction(action: DraftAction, place: string, saying: Saying): Token[] {
  const { t, locale } = saying
  const text = t(`trigger.a.${action.type}`, marks('target', 'value'))
  const { target, value } = actionTarget(action, place, t)
  const { throttlingIntervalInMSec: spacing = 0 } = action
  const daysPlace = daysPlaceOf(action)
  const days = daysPlace === undefined ? [] : ((valueAt(action, daysPlace) ?? []) as number[]) // days stand there
  return [
    ...filled(text, { target: target === undefined ? [] : [target], value }),
    ...(days.length > 0
      ? [
          { text: ' ' },
          ...filled(t('trigger.onDays', marks('days')), {
            days: [{ text: daysText(days.join(','), locale), place: `${place}.${daysPlace}` }],
          }),
        ]
      : []),
    ...(spacing > 0
      ? filled(t('trigger.atMostOnce', marks('time')), {
          time: [{ text: lengthText(spacing, locale), place: `${place}.throttlingIntervalInMSec` }],
        })
      : []),
  ]
}

/** Name of what an action writes to or calls, and the value where it gives one. */
function actionTarget(
  action: DraftAction,
  place: string,
  t: Translate,
): { target?: Token; value: Token[] } {
  const at = (text: string, field: string): Token =>
    fieldToken(text, `${place}.${field}`, missingWord(field, t))
  const none = { value: [] }
  switch (action.type) {
    case 'EMAIL_ACTION':
      return { target: at(listed(action.emailConfig.emailTo), 'emailConfig.emailTo'), ...none }
    case 'WEBHOOK_ACTION':
      return { target: at(hostOf(action.webhookConfig.url), 'webhookConfig.url'), ...none }
    case 'TELEGRAM_ACTION':
      return { target: at(String(action.telegramConfig.chatId), 'telegramConfig.chatId'), ...none }
    case 'TEAMS_ACTION':
    case 'SHARE_DASHBOARD':
      return none
    case 'ATTRIBUTE_ACTION': {
      const { name, value } = writtenAttribute(action.attribute)
      return { target: at(name, 'attribute'), value: valueTokens(value, `${place}.attribute`, t) }
    }
    case 'WRITE':
      return {
        target: at(matcherText(action.path, t), 'path'),
        value: valueTokens(action.value, `${place}.value`, t),
      }
    case 'ALARM':
      return { target: at(action.name, 'name'), ...none }
  }
}

function valueTokens(
  value: string | number | boolean | undefined,
  place: string,
  t: Translate,
): Token[] {
  if (value === undefined) return [{ text: t('trigger.firedValue'), place }]
  if (typeof value === 'boolean') return [{ text: t(value ? 'live.on' : 'live.off'), place }]
  return [{ text: String(value), place }]
}

const listed = (addresses: string | readonly string[]) =>
  typeof addresses === 'string' ? addresses : addresses.join(', ')

/** Name and fixed value of an attribute, which may be given by its name alone. */
export const writtenAttribute = (
  attribute: string | { name: string; value?: string | number | boolean | undefined },
) => (typeof attribute === 'string' ? { name: attribute, value: undefined } : attribute)

/** Host of an address, or the text while it is none. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)
