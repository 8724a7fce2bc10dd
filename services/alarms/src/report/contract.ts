import { definePartContract, flag } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceId, inOrganization, ms } from '../asked-contract.ts'

/** Figures of alarms in a time; a rate is null where no time has passed, a share where there was nothing. */
const Figures = z.object({
  /** Hours of the time that have passed. */
  hours: z.number(),
  /** Raises: an alarm that comes again before it is over counts again. */
  alarms: z.int(),
  perHour: z.number().nullable(),
  /** Share of the stretches of ten minutes with more than ten alarms, 0 to 1. */
  floodShare: z.number().nullable(),
  /** Most alarms in ten minutes, in steps of one minute. */
  mostInTenMinutes: z.int(),
  /** Alarms by severity 0 to 6. */
  bySeverity: z.array(z.int()).length(7),
  /** Alarms that somebody acknowledged, and the time until then in seconds, within 2 %. */
  acknowledged: z.int(),
  acknowledgeMedianS: z.number().nullable(),
  acknowledge95S: z.number().nullable(),
})
export type Figures = z.output<typeof Figures>

/** Alarm that came often. */
const Frequent = z.object({
  deviceId,
  device: z.string(),
  name: z.string(),
  ruleId: z.uuid().nullable(),
  count: z.int(),
  /** Times at which it came for the third time within a minute. */
  chattered: z.int(),
})

/** Rule, or kind of alarm of devices themselves, that raised often. */
const FrequentRule = z.object({
  /** Null for an alarm that devices raise themselves. */
  ruleId: z.uuid().nullable(),
  name: z.string(),
  count: z.int(),
  chattered: z.int(),
  /** Devices with the most of them, at most 20. */
  devices: z.array(z.object({ deviceId, count: z.int() })),
  /** Seconds for which the newest 2,000 were active; null where none has returned. */
  lastedMedianS: z.number().nullable(),
  lasted80S: z.number().nullable(),
  /** Distance from the limit at the raise that 90 of 100 of these do not exceed; null without numbers. */
  beyond90: z.number().nullable(),
})

const Standing = z.object({
  id: z.string(),
  deviceId,
  device: z.string(),
  name: z.string(),
  since: ms,
})

/** Alarm that stood at the end of the time for longer than a day. */
const Long = z.object({ count: z.int(), longest: z.array(Standing) })

const zoneOf = z.string().min(1).max(100)
const clock = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const shiftTimes = z
  .string()
  .max(100)
  .transform((text) => text.split(','))
  .pipe(z.array(z.string().regex(clock)).min(1).max(12))

export const reportContract = definePartContract({
  errors: { bad_report: 400 },
  endpoints: {
    /** Figures of the alarms of a time, whole and by shift, after EEMUA 191 and ISA-18.2. */
    report: {
      method: 'GET',
      path: '/report',
      costly: true,
      access: 'alarms:read',
      query: inOrganization.extend({
        below: flag.optional(),
        from: z.coerce.number<number>(),
        to: z.coerce.number<number>(),
        /** Begins of the shifts by the clock of `zone`: `06:00,14:00,22:00`. */
        shifts: shiftTimes.default(['06:00', '14:00', '22:00']),
        zone: zoneOf.default('UTC'),
      }),
      result: z.object({
        from: ms,
        to: ms,
        whole: Figures,
        /** Each shift over all days of the time. */
        shifts: z.array(Figures.extend({ begins: z.string(), ends: z.string() })),
        /** Alarms by time: of hours, or of shifts where the time is longer than three days. */
        course: z.array(z.object({ from: ms, to: ms, alarms: z.int(), mostInTenMinutes: z.int() })),
        /** Different alarms that came. */
        sources: z.int(),
        /** Different alarms that came three times within a minute. */
        chattering: z.int(),
        /** Share of the ten most frequent alarms, 0 to 1. */
        worstShare: z.number().nullable(),
        worst: z.array(Frequent),
        rules: z.array(FrequentRule),
        devices: z.array(
          z.object({ deviceId, device: z.string(), count: z.int(), mostOften: z.string() }),
        ),
        /** Active for over 24 hours at the end. */
        standing: Long,
        /** Open and not acknowledged for over 24 hours at the end. */
        stale: Long,
      }),
    },
  },
})
