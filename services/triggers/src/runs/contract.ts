import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, deviceId, inOrganization, ms, timeText } from '../asked-contract.ts'
import { actionTypes } from '../saving/action-contract.ts'

/**
 * Kinds of runs, of which each is kept by itself: `acted` (the last 50), `almost` (the last 50: one condition
 * short, a delay broken off, throttled), `failed` (30 days: an action failed, blocked, stopped).
 */
const runKinds = ['acted', 'almost', 'failed'] as const

const runReasons = [
  /** Of acted runs. */
  'fired',
  /** Of those that almost ran. */
  'one_short',
  'delay_broken',
  'throttled',
  'not_today',
  'no_action',
  /** The value is older than an hour, as one that a device kept while it was offline. */
  'late',
  /** Of failed ones. */
  'action_failed',
  'blocked',
  'right_lost',
  'owner_gone',
  'stopped',
] as const

/** Run of a trigger in a list. */
export const Run = z.object({
  id: z.uuid(),
  triggerId: z.uuid(),
  triggerName: z.string(),
  orgResourceId: z.string(),
  deviceId,
  deviceLabel: z.string(),
  /** Time of the value or timer that fired, and of the run. */
  firedAt: ms,
  at: ms,
  kind: z.enum(runKinds),
  reason: z.enum(runReasons),
  /** Course of it in words (English). */
  text: z.string(),
  /** False while an action waits for its answer. */
  isDone: z.boolean(),
  actions: z.array(
    z.object({
      type: z.enum(actionTypes),
      state: z.enum(['WAITING', 'DONE', 'FAILED', 'BLOCKED', 'THROTTLED', 'SKIPPED']),
    }),
  ),
})
export type Run = z.output<typeof Run>

const scalar = z.union([z.number(), z.string(), z.boolean(), z.null()])

/** Run with all that it saw and did; values of paths that the reader may not read are null and `hidden`. */
export const RunDetail = Run.extend({
  version: z.int(),
  /** Path, or part of the policy, that fired. */
  instance: z.string(),
  owner: z.string(),
  inputs: z.array(
    z.object({
      /** Path, or `connection` for the connection of the device. */
      path: z.string(),
      value: scalar,
      t: ms.nullable(),
      /** This input fired the trigger. */
      isCause: z.boolean(),
      hidden: z.boolean(),
    }),
  ),
  conditions: z.array(
    z.object({
      /** Place in the policy, as `policy.innerPolicies.0`. */
      place: z.string(),
      path: z.string(),
      /** Null: not known yet. */
      truth: z.boolean().nullable(),
      since: ms.nullable(),
      /** Time that it has to hold, and until when it waited for that. */
      timeMs: z.number(),
      dueAt: ms.nullable(),
    }),
  ),
  actions: z.array(
    z.object({
      uuid: z.string(),
      type: z.enum(actionTypes),
      state: z.enum(['WAITING', 'DONE', 'FAILED', 'BLOCKED', 'THROTTLED', 'SKIPPED']),
      /** Sent or written, without secrets. */
      request: z.string(),
      answer: z.string(),
      ms: z.int().nullable(),
      /** Delivery of notifications that carries it. */
      deliveryId: z.uuid().nullable(),
      /** End of the throttling, where it was throttled. */
      throttledUntil: ms.nullable(),
    }),
  ),
  /** Runs that led to this one, the first one first; empty when no trigger did. */
  chain: z.array(
    z.object({ runId: z.uuid(), triggerId: z.uuid(), name: z.string(), path: z.string(), at: ms }),
  ),
})
export type RunDetail = z.output<typeof RunDetail>

const page = {
  kind: z.enum(runKinds).optional(),
  deviceId: deviceId.optional(),
  /** Time of the run: from (inclusive), to (exclusive). */
  from: timeText.optional(),
  to: timeText.optional(),
  /** `next` of the page before. */
  next: z.string().max(200).optional(),
  pageSize: z.coerce.number<number>().int().min(1).max(500).default(50),
}
const Runs = z.object({
  data: z.array(Run),
  /** For the following page; null on the last one. */
  next: z.string().nullable(),
})

const access = ['triggers:read', 'organizations:read'] as const

export const runsContract = definePartContract({
  errors: { bad_next: 400 },
  endpoints: {
    /** Runs of all triggers of an organization, newest first. */
    runs: {
      method: 'GET',
      path: '/runs',
      access: ['triggers:read', 'organizations:read', 'audit:access'],
      query: inOrganization.extend({ ...page, search: z.string().max(200).optional() }),
      result: Runs,
    },
    runsOfTrigger: {
      method: 'GET',
      path: '/triggers/:id/runs',
      access,
      params: byId,
      query: inOrganization.extend(page),
      result: Runs,
    },
    run: {
      method: 'GET',
      path: '/triggers/:id/runs/:run',
      access,
      params: byId.extend({ run: z.uuid() }),
      query: inOrganization,
      result: RunDetail,
    },
  },
})
