import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, ms } from '../asked-contract.ts'

/** Newest beat that passed a station: when it began and when it passed; null before the first one. */
const Passed = z.object({ t: ms, at: ms }).nullable()

/** The first beat has not come yet, beats come through, or none came for three minutes. */
const State = z.enum(['new', 'works', 'still'])

/** Program outside that is called at each beat; its address is not answered, as it is a secret. */
const Watcher = z.object({
  method: z.enum(['GET', 'POST']),
  host: z.string(),
  updatedAt: ms,
  updatedBy: z.string(),
  /** Answer to the newest call, and whether it took the beat; null before the first call. */
  answer: z.string(),
  calledAt: ms.nullable(),
  ok: z.boolean().nullable(),
})

const change = { access: 'notifications:update', query: inOrganization } as const

export const pulseContract = definePartContract({
  errors: {
    /** No beat came through for three minutes. */
    pulse_still: 503,
    /** The address of the watcher may not be called. */
    address_refused: 422,
    secret_missing: 422,
    test_limit: 429,
  },
  endpoints: {
    /**
     * The pulse: whether a value still becomes a message, and since when it does not. People of a root organization
     * with `notifications:read` see its stations and their watcher; for others these are null.
     */
    pulse: {
      method: 'GET',
      path: '/pulse',
      access: 'member',
      query: inOrganization,
      result: z.object({
        now: ms,
        state: State,
        /** Start of the newest beat that came through. */
        t: ms.nullable(),
        stations: z
          .object({
            alarm: Passed,
            /** False while the service of alarms does not answer. */
            isAlarmKnown: z.boolean(),
            message: Passed,
            watcher: Passed,
          })
          .nullable(),
        watcher: Watcher.nullable(),
      }),
    },
    /** For programs that look from outside, without sign-in: 503 while the pulse stands still. */
    pulseAlive: {
      method: 'GET',
      path: '/pulse/alive',
      access: 'public',
      result: z.object({ state: State, t: ms.nullable() }),
    },
    /** Without an address the one of before stays. */
    setPulseWatcher: {
      method: 'PUT',
      path: '/pulse/watcher',
      ...change,
      body: z.object({
        url: z.string().trim().min(1).max(2_000).optional(),
        method: z.enum(['GET', 'POST']).default('GET'),
      }),
      result: Watcher,
    },
    deletePulseWatcher: {
      method: 'DELETE',
      path: '/pulse/watcher',
      ...change,
      result: z.undefined(),
    },
    /** Calls the watcher once, as a beat would; the answer is that of the watcher. */
    testPulseWatcher: {
      method: 'POST',
      path: '/pulse/watcher/test',
      ...change,
      body: z.object({}).default({}),
      result: z.object({ ok: z.boolean(), answer: z.string(), ms: z.int() }),
    },
  },
})
