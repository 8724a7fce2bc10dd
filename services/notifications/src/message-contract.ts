import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { z } from 'zod'

/** Alarm as alarms answers it to this service. */
export type ToldAlarm = Result<(typeof alarmsContract)['endpoints']['alarmForNotifications']>

export const messageKinds = ['alarms', 'return', 'escalation', 'more', 'test', 'onCall'] as const
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
}
