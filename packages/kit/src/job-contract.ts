import { z } from 'zod'
import { timestamp } from './contract.ts'

/** Long work as the person who asked for it sees it. */
export const Job = z.object({
  id: z.string(),
  kind: z.string(),
  /** What it is about, in the words of who started it. */
  label: z.string(),
  state: z.enum(['PROCESSING', 'DONE', 'ERROR', 'CANCELLED']),
  /** Steps in all, done (failed ones too) and failed; a total of 0 is not known yet. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Why it ended with ERROR. */
  error: z.string().nullable(),
  /** The name of that error, for words in the reader's language. */
  errorCode: z.string().nullable().default(null),
  /** What came out, as its kind says. */
  result: z.unknown().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Job = z.output<typeof Job>

/** A step that failed; the others went on. */
const JobFailure = z.object({ label: z.string(), code: z.string(), message: z.string() })
type JobFailure = z.output<typeof JobFailure>

const query = z.object({ organization: z.string().max(500).optional() })
const params = z.object({ jobId: z.string().max(40) })

/** Calls that every service with jobs has. A person sees their own jobs in the organization, nobody else's; an API key those that it started. */
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
  /** The first thousand steps that failed, in order. */
  jobFailures: {
    method: 'GET',
    path: '/jobs/:jobId/failures',
    access: 'member',
    apiKeys: true,
    params,
    query,
    result: z.object({ data: z.array(JobFailure) }),
  },
  /** What is done stays done. */
  cancelJob: {
    method: 'POST',
    path: '/jobs/:jobId/cancel',
    access: 'member',
    apiKeys: true,
    params,
    query,
    result: Job,
  },
  /** Do the failed steps of an ended job again. */
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
