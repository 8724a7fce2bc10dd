import type { Input } from '@longreach/kit/contract'
import type { notificationsContract } from '@longreach/notifications/contract'
import type { NotificationRule } from '../../parts/notifications/notification-calls.ts'

type Endpoints = (typeof notificationsContract)['endpoints']
type RuleBody = Input<Endpoints['createNotification']>['body']
type Recipient = NotificationRule['recipientFilters'][number]

/** Recipient as a text that the server reads again: `user:anna`, or `anna`. */
export const recipientText = (recipient: Recipient) =>
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
}

/** Ways in which alarms make one message. */
export const groupNames = ['organization', 'device', 'class'] as const

/** Draft of a new rule. */
export const newDraft: RuleDraft = {
  name: '',
  enabled: true,
  severity: '3',
  names: [],
  recipients: [],
  ackTime: 0,
  channels: ['inbox', 'mail'],
  onReturn: false,
  group: 'organization',
}

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
})

/** Body of a draft; fields that the form does not have stay as they are. */
export function toBody(draft: RuleDraft, rule: NotificationRule | undefined): RuleBody {
  const kept = rule && {
    description: rule.description,
    extraFilters: rule.extraFilters,
    deviceGroupFilters: rule.deviceGroupFilters,
    days: rule.days,
  }
  return {
    ...kept,
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
    },
  }
}
