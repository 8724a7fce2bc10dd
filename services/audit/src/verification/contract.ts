import { definePartContract, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'
import { place } from '../place-contract.ts'

/** First fault of the chain, and its position. */
export const Fault = z.object({
  kind: z.enum(['changed', 'missing', 'unlinked', 'added', 'cut', 'seal', 'rolled-back']),
  message: z.string(),
  /** Position in the chain. */
  seq: z.int(),
  at: timestamp.nullable(),
})
export type Fault = z.output<typeof Fault>

const Verification = z.object({
  state: z.enum(['never', 'running', 'intact', 'broken']),
  /** From 0 to 1. */
  progress: z.number(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  fault: Fault.nullable(),
})

const Report = z.object({ lines: z.int(), links: z.int(), fault: Fault.nullable() })

export const verificationContract = definePartContract({
  errors: {
    /** The chain covers the whole installation; only its first organization may verify it. */
    not_first_organization: 403,
  },
  endpoints: {
    verification: {
      method: 'GET',
      path: '/verification',
      access: 'audit:access',
      query: place,
      result: Verification,
    },
    /** Start a verification of the whole chain; one runs at a time. */
    verify: {
      method: 'POST',
      path: '/verification',
      access: 'audit:access',
      reads: true,
      query: place,
      result: Verification,
      status: 202,
    },
    /** Verification for `verify-audit`; the answer comes when it is finished. */
    report: { method: 'GET', path: '/internal/report', access: 'service', result: Report },
  },
})
