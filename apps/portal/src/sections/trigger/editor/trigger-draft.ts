import type { Policy } from '@longreach/rules/policy'
import type { Posted, Trigger } from '../trigger-calls.ts'
import { isPolicyGroup, type SinglePart } from './policy-tree.ts'

type WireAction = Posted['triggerData']['actions'] extends (infer One)[] | undefined ? One : never
type OwnActions = NonNullable<NonNullable<Posted['triggerData']['longreach']>['actions']>
export type DraftAction = NonNullable<WireAction> | OwnActions[number]
export type DraftActionType = Exclude<DraftAction['type'], 'SHARE_DASHBOARD'>

/** Trigger that is edited; its places are those of the server's faults. */
export type TriggerDraft = {
  name: string
  disabled: boolean
  /** Ids of device groups; none: all devices. */
  deviceGroups: string[]
  policy: Policy
  actions: DraftAction[]
  locale: string
  timezone: string
  longreach: { actions: DraftAction[]; below: boolean; description: string }
}

const ends = { minOrEqual: true, maxOrEqual: true }

/** Part of a policy as a new one, of each type. */
export function newPart(type: SinglePart['type'], modelPathMatcher = ''): SinglePart {
  const uuid = crypto.randomUUID()
  switch (type) {
    case 'ANALOG_BAND':
      return { type, modelPathMatcher, inside: true, ...ends, uuid }
    case 'ON_LEVEL':
      return { type, modelPathMatcher, mode: 'ON_ENTER', skipFirstChanges: 0, ...ends, uuid }
    case 'ON_CHANGED':
      return {
        type,
        modelPathMatcher,
        changeMask: 'VALUE_CHANGED',
        skipFirstNChanges: 0,
        deadband: 0,
        isPercentage: false,
        uuid,
      }
    case 'CONNECTION':
      return { type, source: 'IOT', status: 'OFF', uuid }
    case 'PASSTHROUGH':
      return { type, modelPathMatcher, uuid }
  }
}

/** Part of another type, for the same path. */
export function withPartType(part: SinglePart, type: SinglePart['type']): SinglePart {
  const made = newPart(type, 'modelPathMatcher' in part ? part.modelPathMatcher : '')
  return { ...made, ...(part.uuid !== undefined && { uuid: part.uuid }) }
}

/** Stored policy with the fields that clients may leave out, and a uuid for each part. */
export function toDraftPolicy(stored: unknown): Policy {
  const policy = stored as Policy // the server has read it as one
  const uuid = policy.uuid ?? crypto.randomUUID()
  if (isPolicyGroup(policy)) {
    return { ...policy, uuid, innerPolicies: policy.innerPolicies.map(toDraftPolicy) }
  }
  return { ...newPart(policy.type), ...policy, uuid }
}

const newCommon = (throttlingIntervalInMSec?: number) => ({
  disabled: false,
  stateful: false,
  uuid: crypto.randomUUID(),
  ...(throttlingIntervalInMSec !== undefined && { throttlingIntervalInMSec }),
})

/** Action as a new one, of each type; messages wait five minutes for the next one. */
export function newAction(type: DraftActionType): DraftAction {
  const spaced = newCommon(300_000)
  switch (type) {
    case 'EMAIL_ACTION':
      return {
        type,
        ...spaced,
        emailConfig: { emailTo: '', subject: '', template: '', xdays: [] },
      }
    case 'WEBHOOK_ACTION':
      return {
        type,
        ...spaced,
        webhookConfig: { headers: {}, method: 'POST', url: '', template: '', xdays: [] },
      }
    case 'TELEGRAM_ACTION':
      return {
        type,
        ...spaced,
        telegramConfig: { token: '', chatId: '', template: '', xdays: [] },
      }
    case 'TEAMS_ACTION':
      return { type, ...spaced, teamsConfig: { endpoint: '', template: '', xdays: [] } }
    case 'ATTRIBUTE_ACTION':
      return { type, ...newCommon(), attribute: '' }
    case 'WRITE':
      return { type, ...newCommon(60_000), xdays: [], path: '' }
    case 'ALARM':
      return { type, ...newCommon(), xdays: [], name: '', severity: 3, text: '' }
  }
}

/** New trigger: a value in a band, without an action. */
export const newTrigger = (timezone: string, locale: string): TriggerDraft => ({
  name: '',
  disabled: false,
  deviceGroups: [],
  policy: { ...newPart('ANALOG_BAND'), time: 10_000 } as Policy, // a band takes a time
  actions: [],
  locale,
  timezone,
  longreach: { actions: [], below: false, description: '' },
})

/** Copy of a stored trigger under another name. Its actions are new ones, without secrets and runs of before. */
export function toCopy(trigger: Trigger, name: string): TriggerDraft {
  const draft = toTriggerDraft(trigger)
  const anew = (action: DraftAction) => ({ ...action, uuid: crypto.randomUUID() })
  return {
    ...draft,
    name: name.slice(0, longestName),
    actions: draft.actions.map(anew),
    longreach: { ...draft.longreach, actions: draft.longreach.actions.map(anew) },
  }
}
const longestName = 200

/** Stored trigger as it is edited. */
export function toTriggerDraft({
  name,
  disabled,
  deviceGroups,
  triggerData,
}: Trigger): TriggerDraft {
  const { policy, actions, locale, timezone, longreach } = triggerData
  return {
    name,
    disabled,
    deviceGroups: deviceGroups.map(String),
    policy: toDraftPolicy(policy),
    actions: actions as DraftAction[], // as they were posted
    locale: locale ?? '',
    timezone: timezone ?? '',
    longreach: {
      actions: longreach.actions as DraftAction[], // as they were posted
      below: longreach.below,
      description: longreach.description,
    },
  }
}

/** Draft as it is posted; `version` is the one that was read. */
export function toPosted(draft: TriggerDraft, version?: number): Posted {
  const { name, disabled, deviceGroups, policy, actions, locale, timezone, longreach } = draft
  return {
    name,
    disabled,
    deviceGroups,
    triggerData: {
      policy,
      actions: actions as never, // those of the wire, which the server checks
      locale: locale === '' ? null : locale,
      timezone: timezone === '' ? null : timezone,
      longreach: { ...longreach, actions: longreach.actions as never }, // likewise
    },
    ...(version !== undefined && { longreach: { version } }),
  }
}

/** True for actions that are not on the existing wire. */
const isOwnAction = ({ type }: Pick<DraftAction, 'type'>) =>
  type === 'WRITE' || type === 'ALARM' || type === 'SHARE_DASHBOARD'

/** Actions with their places: those of the wire, then the others. */
export const actionsOf = ({ actions, longreach }: Pick<TriggerDraft, 'actions' | 'longreach'>) => [
  ...actions.map((action, index) => ({ action, place: `actions.${index}` })),
  ...longreach.actions.map((action, index) => ({ action, place: `longreach.actions.${index}` })),
]

/** Draft with one action more. */
export function withAction(draft: TriggerDraft, action: DraftAction): TriggerDraft {
  if (!isOwnAction(action)) return { ...draft, actions: [...draft.actions, action] }
  const { longreach } = draft
  return { ...draft, longreach: { ...longreach, actions: [...longreach.actions, action] } }
}

/** Draft without the action with a uuid. */
export function withoutAction(draft: TriggerDraft, uuid: string | undefined): TriggerDraft {
  const others = (actions: DraftAction[]) => actions.filter((one) => one.uuid !== uuid)
  const { longreach } = draft
  return {
    ...draft,
    actions: others(draft.actions),
    longreach: { ...longreach, actions: others(longreach.actions) },
  }
}

/** Place, below that of the action, of the weekdays that limit it; attributes are set on every day. */
export const daysPlaceOf = ({ type }: DraftAction): string | undefined => {
  if (type === 'ATTRIBUTE_ACTION') return undefined
  return isOwnAction({ type }) ? 'xdays' : `${configOf[type as keyof typeof configOf]}.xdays`
}

/** Field with the settings of an action on the wire. */
const configOf = {
  EMAIL_ACTION: 'emailConfig',
  WEBHOOK_ACTION: 'webhookConfig',
  TELEGRAM_ACTION: 'telegramConfig',
  TEAMS_ACTION: 'teamsConfig',
} as const
