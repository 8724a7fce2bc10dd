import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { Language } from './asked-contract.ts'
import type { ChannelConfig, ChannelType } from './channels/contract.ts'
import type { EscalationSettings } from './escalations/contract.ts'
import type { PreferenceSettings } from './inbox/contract.ts'
import type { MessageFacts, MessageKind } from './message-contract.ts'
import type { NotificationSettings } from './rules/contract.ts'
import type { ScheduleSettings } from './schedules/contract.ts'

type Json<T extends object> = JSONColumnType<T>

type NotificationTable = {
  id: string
  org: string
  realm: string
  name: string
  enabled: boolean
  minimum_severity: number
  below: boolean
  version: number
  settings: Json<NotificationSettings>
  owner: string
  owner_name: string
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}
export type NotificationRow = Selectable<NotificationTable>

type DecisionTable = {
  id: Generated<number>
  notification_id: string
  version: number
  org: string
  alarm_id: string
  device_id: string
  alarm_org: string
  groups: Generated<number[]>
  label: Generated<string>
  kind: string
  at: Date
  severity: number
  state: 'WAITING' | 'GROUPED' | 'TOLD' | 'DROPPED'
  gate: string
  detail: Generated<string>
  due_at: Date | null
  tries: Generated<number>
  bundle_id: string | null
  message_id: string | null
  created_at: Date
}
export type DecisionRow = Selectable<DecisionTable>

type MessageTable = {
  id: string
  notification_id: string | null
  org: string
  kind: MessageKind
  about: string
  about_org: string
  about_groups: number[]
  total: number
  severity: number
  facts: Json<MessageFacts>
  created_at: Date
}

type DeliveryTable = {
  id: string
  message_id: string
  org: string
  recipient: string
  recipient_name: string
  realm: string
  channel: string
  channel_id: string | null
  address: Generated<string>
  language: string
  outside: Generated<boolean>
  state: 'WAITING' | 'SENDING' | 'SENT' | 'FAILED' | 'DROPPED'
  gate: Generated<string>
  host: Generated<string>
  attempt: Generated<number>
  repeated: Generated<boolean>
  next_at: Date
  lease_until: Date | null
  answer: Generated<string>
  ms: number | null
  until: Date
  created_at: Date
  updated_at: Date
}
export type DeliveryRow = Selectable<DeliveryTable>

type ChannelTable = {
  id: string
  org: string
  name: string
  type: ChannelType
  enabled: boolean
  language: Language
  config: Json<ChannelConfig>
  secrets: Buffer
  created_at: Date
  updated_at: Date
  updated_by: string
}
export type ChannelRow = Selectable<ChannelTable>

/** Tables of notifications, as its migrations create them. */
export type NotificationsDb = {
  notification: NotificationTable
  notification_version: {
    notification_id: string
    version: number
    enabled: boolean
    minimum_severity: number
    below: boolean
    settings: Json<NotificationSettings>
    at: Date
  }
  decision: DecisionTable
  bundle: {
    id: string
    notification_id: string
    key: string
    due_at: Date
    told_severity: Generated<number>
    created_at: Date
  }
  message: MessageTable
  delivery: DeliveryTable
  held: {
    recipient: string
    channel: string
    org: string
    count: number
    due_at: Date
    delivery: Json<object>
  }
  /** Messages of triggers, by delivery. */
  outgoing: { delivery_id: string; request: Buffer }
  channel: ChannelTable
  push_key: { id: Generated<number>; public_key: string; private_key: Buffer }
  push_subscription: {
    id: string
    sub: string
    label: string
    host: string
    endpoint_hash: string
    sealed: Buffer
    created_at: Date
    sent_at: Date | null
    sent_message: string | null
  }
  pulse_station: { station: 'message'; t: Date; at: Date }
  pulse_watcher: {
    org: string
    method: 'GET' | 'POST'
    host: string
    sealed: Buffer
    updated_at: Date
    updated_by: string
    t: Date | null
    at: Date | null
    answer: string
    called_at: Date | null
    ok: boolean | null
  }
  pace: { target: string; free_at: Date }
  inbox_item: {
    id: string
    sub: string
    org: string
    message_id: string
    severity: number
    subject: string
    body: string
    alarms: string[]
    device_id: string | null
    created_at: Date
    read_at: Date | null
  }
  preference: { sub: string; settings: Json<PreferenceSettings>; updated_at: Date }
  escalation: {
    id: string
    org: string
    name: string
    settings: Json<EscalationSettings>
    updated_at: Date
    updated_by: string
  }
  escalation_run: {
    id: string
    escalation_id: string
    notification_id: string
    message_id: string
    alarms: string[]
    step: number
    round: Generated<number>
    begun_at: Date
    due_at: Date
  }
  schedule: {
    id: string
    org: string
    name: string
    settings: Json<ScheduleSettings>
    told: string | null
    told_state: string | null
    note: string
    note_by: string
    note_at: Date | null
    calendar_hash: string | null
    updated_at: Date
    updated_by: string
  }
}
