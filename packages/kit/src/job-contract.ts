import { z } from 'zod'
import { definePartContract, timestamp } from './contract.ts'

/** Job: long work, as the person who started it sees it. */
export const Job = z.object({
  id: z.string(),
  kind: z.string(),
  /** Description by the part that started it. */
  label: z.string(),
  state: z.enum(['PROCESSING', 'DONE', 'ERROR', 'CANCELLED']),
  /** Number of steps in total (0: unknown yet), done (failed included) and failed. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Reason of the status ERROR. */
  error: z.string().nullable(),
  /** Error code, for a translated reason. */
  errorCode: z.string().nullable().default(null),
  /** Result, whose form depends on the kind. */
  result: z.unknown().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Job = z.output<typeof Job>

/** Failed step; the others continue. */
const JobFailure = z.object({ label: z.string(), code: z.string(), message: z.string() })
type JobFailure = z.output<typeof JobFailure>

const query = z.object({ organization: z.string().max(500).optional() })
const params = z.object({ jobId: z.string().max(40) })

/**
 * Calls of every service with jobs. A person sees their own jobs in the organization; an API key
 * sees those it started.
 */
export const jobEndpoints = {
  jobs: {
    method: 'GET',
    path: '/jobs',
    access: 'member',
    apiKeys: true,
    query,
    result: z.object({ data: z.array(Job) }),
  },
  job: {
    method: 'GET',
    path: '/jobs/:jobId',
    access: 'member',
    apiKeys: true,
    params,
    query,
    result: Job,
  },
  /** First 1,000 failed steps, in order. */
  jobFailures: {
    method: 'GET',
    path: '/jobs/:jobId/failures',
    access: 'member',
    apiKeys: true,
    params,
    query,
    result: z.object({ data: z.array(JobFailure) }),
  },
  /** Steps that are done stay done. */
  cancelJob: {
    method: 'POST',
    path: '/jobs/:jobId/cancel',
    access: 'member',
    apiKeys: true,
    params,
    query,
    result: Job,
  },
  /** Runs the failed steps of an ended job again. */
  retryJob: {
    method: 'POST',
    path: '/jobs/:jobId/retry',
    access: 'member',
    apiKeys: true,
    params,
    query,
    result: Job,
  },
} as const

/** Contract of `jobsPart`. */
export const jobContract = definePartContract({ endpoints: jobEndpoints })
