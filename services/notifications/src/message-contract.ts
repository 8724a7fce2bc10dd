import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { z } from 'zod'

/** Alarm as alarms answers it to this service. */
export type ToldAlarm = Result<(typeof alarmsContract)['endpoints']['alarmForNotifications']>

export const messageKinds = [
  'alarms',
  'return',
  'escalation',
  'more',
  'test',
  'onCall',
  'offCall',
  'gap',
  'failed',
  'trigger',
  'triggerStopped',
] as const
export const MessageKind = z.enum(messageKinds)
export type MessageKind = z.output<typeof MessageKind>

/** Facts of a message besides its alarms. */
export type MessageFacts = {
  /** Name of the rule, and of its organization, for the sentence that says why one gets it. */
  rule?: string
  organization?: string
  /** Time zone in which times are written. */
  zone?: string
  /** Message whose alarms an escalation is about. */
  origin?: string
  /** Minutes for which nobody acknowledged. */
  minutes?: number
  /** Messages that were held back. */
  more?: number
  /** Schedule of an on-call person, and the end of their turn in ms. */
  schedule?: string
  until?: number
  /** Person who follows, or was removed; the note for the next person, and who wrote it. */
  person?: string
  note?: string
  noteBy?: string
  /** Open alarms of a hand-over, the worst first. */
  listed?: { alarm_id: string; alarm_org: string; groups: number[] }[]
  /** The message gathers the alarms of a digest; `morning`: those of a night. */
  digest?: 'morning' | 'other'
  /** Delivery that failed. */
  failed?: { recipient: string; channel: string; answer: string }
  /** Trigger of which a message is, why it does not run any more, and the chain of a loop. */
  trigger?: string
  code?: string
  chain?: string
}
