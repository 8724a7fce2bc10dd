import { definePartContract, laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, deviceId, inOrganization, ms } from './asked-contract.ts'

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

/** Beginning of the instance of a firing by hand; the user name follows. */
export const byHand = 'hand/'

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
  /** Time since which it holds: a path that was written before may have caused it. */
  since: ms,
  inputs: z.array(FiredInput),
  conditions: z.array(FiredCondition),
})
export type Firing = z.output<typeof Firing>

/**
 * Events between platform, which judges values, and this service, which acts. It declares what platform publishes,
 * because it consumes it.
 */
export const firingsContract = definePartContract({
  errors: {
    /** It is switched off, stopped or blocked. */
    not_running: 409,
    /** An action writes the value that fired; `details.places` are these. */
    value_needed: 422,
  },
  endpoints: {
    /** Runs the actions once for a device, with the rights of the owner, its days and throttling, whatever the policy says. */
    runTrigger: {
      method: 'POST',
      path: '/triggers/:id/run',
      access: ['triggers:update', 'organizations:update'],
      params: byId,
      query: inOrganization,
      body: z.object({ deviceId }),
      /** Time of the firing, by which its run is found. */
      result: z.object({ firedAt: ms }),
      status: 202,
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
