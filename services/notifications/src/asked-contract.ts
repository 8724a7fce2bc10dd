import { isTimezone } from '@longreach/calendar/zone-offset'
import { z } from 'zod'

/** Organization of a call: `X`, `*` for the session's and all below, `X.*`. */
export const inOrganization = z.object({ organization: z.string().max(500).optional() })

export const byId = z.object({ id: z.uuid() })

/** Milliseconds since 1970. */
export const ms = z.number()

/** Languages of messages. */
export const languages = ['en', 'de', 'es', 'fr', 'it'] as const
export type Language = (typeof languages)[number]

/** Channels that a person may choose; browsers are those where they asked for messages. */
export const chosenChannels = ['inbox', 'mail', 'push'] as const
export type ChosenChannel = (typeof chosenChannels)[number]

/** Channels that each person has. */
export const personalChannels = ['inbox', 'mail'] as const
export type PersonalChannel = (typeof personalChannels)[number]

/** Time of day: `06:30`. */
export const clockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 06:30')

/** Name of a time zone that this server knows. */
export const timeZone = z
  .string()
  .max(100)
  .refine(isTimezone, 'must be a time zone such as Europe/Berlin')
