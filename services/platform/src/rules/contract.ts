import { definePartContract } from '@longreach/kit/contract'
import { tryEndpoints } from '@longreach/triggers/try-contract'
import { z } from 'zod'

const deviceId = z.string().regex(/^[A-Za-z0-9_-]{22}$/)
const ms = z.number()

const Tried = z.object({
  /** Item of the rule: empty, or `2`, or `2.0`. */
  instance: z.string(),
  start: ms,
  /** Absent while it is active. */
  end: ms.optional(),
  severity: z.int(),
  maxSeverity: z.int(),
  /** Number of raises in it; above 1 it chatters. */
  raises: z.int(),
})
const Miss = z.object({
  instance: z.string(),
  t: ms,
  /** Time for which the condition held, and the time for which it has to. */
  heldMs: z.number(),
  ofMs: z.number(),
})
const TriedOnDevice = z.object({
  deviceId,
  /** The first 1,000. */
  occurrences: z.array(Tried),
  count: z.int(),
  /** Those that were over within five seconds. */
  under5s: z.int(),
  /** Hours in which it was active. */
  hours: z.number(),
  /** Most raises in ten minutes. */
  mostInTenMinutes: z.int(),
  /** Delays that were nearly over. */
  nearestMisses: z.array(Miss),
  /** Paths without history, or without any that the caller may see. */
  missing: z.array(z.string()),
  /** Compared with the saved rule; null without one. */
  difference: z.object({ more: z.int(), fewer: z.int(), moved: z.int() }).nullable(),
})

export const rulesContract = definePartContract({
  errors: {
    /** `details.issues` are the faults: place, code, parameters and the nearest path of each. */
    rule_invalid: 422,
    /** `details.issues` are the faults of a policy: place, code and parameters of each. */
    policy_invalid: 422,
  },
  endpoints: {
    ...tryEndpoints,
    /** Late values that rules did not judge in the last 30 days, of a rule or a device or both; at most 100. */
    unjudgedValues: {
      method: 'GET',
      path: '/rules/unjudged',
      access: 'alarms:read',
      query: z.object({
        organization: z.string().max(500).optional(),
        ruleId: z.uuid().optional(),
        deviceId: deviceId.optional(),
      }),
      result: z.object({
        data: z.array(
          z.object({
            deviceId,
            deviceLabel: z.string(),
            ruleId: z.uuid(),
            /** `age`: older than seven days when they came. `values`: too many values came after them. */
            reason: z.enum(['age', 'values']),
            /** Times of the oldest and of the newest of them. */
            from: ms,
            to: ms,
            /** Time at which the newest of them came. */
            at: ms,
          }),
        ),
      }),
    },
    /** Tries a rule on the past of devices, by the code that judges it later. */
    tryRule: {
      method: 'POST',
      base: '/svc/platform/api/v1/alarms',
      path: '/rules/try',
      reads: true,
      costly: true,
      access: 'alarms:read',
      query: z.object({ organization: z.string().max(500).optional() }),
      body: z.object({
        rule: z.unknown(),
        /** Saved rule with which it is compared. */
        ruleId: z.uuid().optional(),
        devices: z.array(deviceId).min(1).max(20),
        from: ms,
        to: ms,
      }),
      result: z.object({
        devices: z.array(TriedOnDevice),
        /** False when the values or the time were too many: the rest was not read. */
        complete: z.boolean(),
        /** Values that were judged. */
        values: z.int(),
      }),
    },
  },
})
