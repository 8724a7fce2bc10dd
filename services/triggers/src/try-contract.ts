import { z } from 'zod'
import { deviceId, inOrganization, ms } from './asked-contract.ts'

const TriedCondition = z.object({
  /** Place in the policy, as `policy.innerPolicies.0`. */
  place: z.string(),
  /** Path of the device, or `connection`. */
  path: z.string(),
  instance: z.string(),
  /** The time it has to hold. */
  timeMs: z.number(),
  spans: z.array(
    z.object({
      from: ms,
      to: ms,
      /**
       * `waits`: true, and not yet for its time. `several`: changes that followed each other within a hundredth of
       * the time. `unknown`: no value yet, or none of good quality.
       */
      state: z.enum(['no', 'waits', 'yes', 'unknown', 'several']),
    }),
  ),
})

const TriedOnDevice = z.object({
  deviceId,
  /** The first 1,000 firings: the time, and the path or part of the policy that fired. */
  firings: z.array(z.object({ t: ms, instance: z.string() })),
  count: z.int(),
  /** Firings of which an action would have run with its throttling, by the uuid or place of the action. */
  runs: z.record(z.string(), z.int()),
  /** Most firings in ten minutes. */
  mostInTenMinutes: z.int(),
  /** Delays that were nearly over. */
  nearestMisses: z.array(
    z.object({ instance: z.string(), t: ms, heldMs: z.number(), ofMs: z.number() }),
  ),
  /** States of the first 20 conditions over the time, as far as values were read. */
  conditions: z.array(TriedCondition),
  /** Conditions, as of further paths of a pattern, that are not listed. */
  furtherConditions: z.int(),
  /** Times at which all parts of a group held but one, the 20 longest of each instance. */
  oneShort: z.array(
    z.object({
      instance: z.string(),
      from: ms,
      to: ms,
      /** Part that was missing, as `policy.innerPolicies.0`. */
      place: z.string(),
    }),
  ),
  /** Paths without history, or without any that the caller may see. */
  missing: z.array(z.string()),
})

const common = {
  method: 'POST',
  base: '/svc/trigger/api/v1',
  reads: true,
  costly: true,
  access: ['triggers:read', 'organizations:read'],
  query: inOrganization,
  result: z.object({
    devices: z.array(TriedOnDevice),
    /** False when the values or the time were too many: the rest was not read. */
    complete: z.boolean(),
    /** Values that were judged. */
    values: z.int(),
  }),
} as const

const range = { devices: z.array(deviceId).min(1).max(20), from: ms, to: ms }

/** Trials of triggers on the past of devices, by the code that judges them later; platform answers them. */
export const tryEndpoints = {
  /** A saved trigger. */
  tryTrigger: {
    ...common,
    path: '/triggers/:id/try',
    params: z.object({ id: z.uuid() }),
    body: z.object(range),
  },
  /** One that is being written: `triggerData` as it would be saved. */
  tryTriggerData: {
    ...common,
    path: '/triggers/try',
    body: z.object({
      ...range,
      triggerData: z.object({
        policy: z.unknown(),
        actions: z.array(z.looseObject({})).max(20).default([]),
        longreach: z
          .looseObject({ actions: z.array(z.looseObject({})).max(20).default([]) })
          .prefault({}),
      }),
    }),
  },
} as const
