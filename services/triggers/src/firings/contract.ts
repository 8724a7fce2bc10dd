import { definePartContract, laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceId, ms } from '../asked-contract.ts'

const scalar = z.union([z.number(), z.string(), z.boolean(), z.null()])

/** Input of a policy as it was when it fired. */
const FiredInput = z.object({
  /** Path of the device, or `connection`. */
  path: z.string(),
  value: scalar,
  isCause: z.boolean(),
})

/** Condition of a policy as it was when it fired. */
const FiredCondition = z.object({
  /** Place in the policy, as `policy.innerPolicies.0`. */
  place: z.string(),
  path: z.string(),
  type: z.string(),
  /** Null: unknown. */
  truth: z.boolean().nullable(),
  since: ms.nullable(),
  timeMs: z.number(),
})

/** Firing of a trigger on a device, or one that nearly was. */
export const Firing = z.object({
  triggerId: z.uuid(),
  version: z.int(),
  deviceId,
  deviceLabel: z.string(),
  orgResourceId: z.string(),
  groups: z.array(z.int()),
  /** Path, or part of the policy, that fired. */
  instance: z.string(),
  kind: z.enum(['fired', 'one_short', 'delay_broken']),
  /** Time of the value or the timer, in the device's time; end of what held, where it is known. */
  t: ms,
  until: ms.nullable(),
  heardAt: ms,
  /** Late values were judged again: firings of before may be the same, moved. */
  isAgain: z.boolean(),
  /** What fired has held since this time: later than that its cause was written. */
  since: ms,
  inputs: z.array(FiredInput),
  conditions: z.array(FiredCondition),
})
export type Firing = z.output<typeof Firing>

/** Write of a trigger, by the rights of its owner. */
const TriggerWrite = z.object({
  id: z.uuid(),
  path: z.string(),
  value: scalar,
  /** Organization of the trigger, and its owner there. */
  organization: z.string(),
  owner: z.object({ sub: z.string(), username: z.string(), realm: z.string() }),
})
export type TriggerWrite = z.output<typeof TriggerWrite>

/**
 * Events between platform, which judges values, and this service, which acts. It declares what platform publishes,
 * because it consumes it.
 */
export const firingsContract = definePartContract({
  endpoints: {
    /** Writes that wait for a device; whoever asks has to carry them out. */
    takeWrites: {
      method: 'POST',
      path: '/internal/devices/:deviceId/writes',
      audit: 'own',
      access: 'service',
      params: z.object({ deviceId }),
      body: z.object({}).default({}),
      result: z.object({ writes: z.array(TriggerWrite) }),
    },
    /** End of a write: what the device answered, or why it was not written. */
    endWrite: {
      method: 'POST',
      path: '/internal/writes/:id/end',
      audit: 'own',
      access: 'service',
      params: z.object({ id: z.uuid() }),
      body: z.object({ isWritten: z.boolean(), answer: z.string().max(4_000), ms: z.int() }),
      result: z.undefined(),
    },
  },
  events: {
    /** A write waits for its device; the process that the device is connected to takes it. */
    writeWaiting: {
      topic: 'triggers.write_waiting',
      lane: laneOfDevice,
      payload: z.object({ deviceId }),
    },
    triggerFired: { topic: 'platform.trigger_fired', lane: laneOfDevice, payload: Firing },
  },
})
