import type { Input } from '@longreach/kit/contract'
import type { notificationsContract } from '@longreach/notifications/contract'
import { dayNumber } from './day-number.ts'
import { browserZone } from '../../parts/look/time-zone.ts'
import type { NotificationRule } from '../../parts/notifications/notification-calls.ts'

type Endpoints = (typeof notificationsContract)['endpoints']
type RuleBody = Input<Endpoints['createNotification']>['body']
type Recipient = NotificationRule['recipientFilters'][number]

/** Recipient as a text that the server reads again: `user:anna`, or `anna`. */
const recipientText = (recipient: Recipient) =>
  typeof recipient === 'string' ? recipient : `${recipient.type}:${recipient.id}`

/** Fields of a rule as the form has them. */
export type RuleDraft = {
  name: string
  enabled: boolean
  severity: string
  names: string[]
  recipients: string[]
  ackTime: number
  channels: string[]
  onReturn: boolean
  group: string
  description: string
  expressions: string[]
  deviceGroups: string[]
  days: string[]
  hours: { from: string; to: string } | null
  zone: string
  below: boolean
  escalation: string
  digest: 'none' | 'at' | 'every'
  digestTimes: string[]
  digestHours: number
}

/** Ways in which alarms make one message. */
export const groupNames = ['organization', 'device', 'class'] as const

/** Draft of a new rule, by the clock of the browser. */
export const newRuleDraft = (): RuleDraft => ({
  name: '',
  enabled: true,
  severity: '3',
  names: [],
  recipients: [],
  ackTime: 0,
  channels: ['inbox', 'mail'],
  onReturn: false,
  group: 'organization',
  description: '',
  expressions: [],
  deviceGroups: [],
  days: [],
  hours: null,
  zone: browserZone(),
  below: false,
  escalation: '',
  digest: 'none',
  digestTimes: ['07:00'],
  digestHours: 8,
})

/** Draft of a rule that is there. */
export const toDraft = (rule: NotificationRule): RuleDraft => ({
  name: rule.name,
  enabled: rule.enabled,
  severity: String(rule.minimumSeverity),
  names: rule.nameFilters,
  recipients: rule.recipientFilters.map(recipientText),
  ackTime: rule.ackTime,
  channels: rule.longreach.channels,
  onReturn: rule.longreach.onReturn,
  group: rule.longreach.group,
  description: rule.description ?? '',
  expressions: rule.extraFilters,
  deviceGroups: rule.deviceGroupFilters.map(String),
  days: rule.days.flatMap((day) => {
    const number = dayNumber(day)
    return number === undefined ? [] : [String(number)]
  }),
  hours: hoursOf(rule),
  zone: rule.longreach.zone,
  below: rule.longreach.below,
  escalation: rule.longreach.escalation ?? '',
  ...digestDraft(rule.longreach.digest),
})

/** Hours of the rule; those that the form cannot show stay as they are. */
function hoursOf({ longreach: { times } }: NotificationRule) {
  const [first] = times
  return first ? { from: first.from, to: first.to } : null
}

function digestDraft(digest: NotificationRule['longreach']['digest']) {
  return {
    digest: digest?.at ? ('at' as const) : digest ? ('every' as const) : ('none' as const),
    digestTimes: digest?.at ?? ['07:00'],
    digestHours: digest?.everyH ?? 8,
  }
}

/** True for a rule with several windows, or with days of their own: the form shows them and leaves them. */
export const hasOwnTimes = (rule: NotificationRule | undefined) =>
  rule !== undefined &&
  (rule.longreach.times.length > 1 || rule.longreach.times.some(({ days }) => days.length > 0))

/** Body of a draft; fields that the form does not have stay as they are. */
export function toBody(draft: RuleDraft, rule: NotificationRule | undefined): RuleBody {
  return {
    description: draft.description,
    extraFilters: draft.expressions,
    deviceGroupFilters: draft.deviceGroups,
    days: draft.days.map(Number),
    name: draft.name.trim(),
    enabled: draft.enabled,
    minimumSeverity: Number(draft.severity),
    nameFilters: draft.names,
    recipientFilters: draft.recipients,
    ackTime: draft.ackTime,
    longreach: {
      ...rule?.longreach,
      channels: draft.channels,
      onReturn: draft.onReturn,
      group: groupNames.find((name) => name === draft.group) ?? 'organization',
      escalation: draft.escalation === '' ? null : draft.escalation,
      digest: digestOf(draft),
      times: windowsOf(draft, rule),
      zone: draft.zone,
      below: draft.below,
    },
  }
}

function digestOf({ digest, digestTimes, digestHours }: RuleDraft) {
  if (digest === 'none') return null
  return digest === 'at' ? { at: digestTimes } : { everyH: digestHours }
}

function windowsOf({ hours }: RuleDraft, rule: NotificationRule | undefined) {
  if (rule && hasOwnTimes(rule)) return rule.longreach.times
  return hours ? [{ days: [], ...hours }] : []
}
