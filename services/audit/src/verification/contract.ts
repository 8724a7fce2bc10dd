import { definePartContract, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'
import { place } from '../place-contract.ts'

/** What is wrong with the chain first, and where. */
export const Fault = z.object({
  kind: z.enum(['changed', 'missing', 'unlinked', 'added', 'cut', 'seal', 'rolled-back']),
  message: z.string(),
  /** The line's place in the chain. */
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
    /** The chain is of the whole installation; its first organization checks it. */
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
    /** Begin to check the whole chain; one check runs at a time. */
    verify: {
      method: 'POST',
      path: '/verification',
      access: 'audit:access',
      reads: true,
      query: place,
      result: Verification,
      status: 202,
    },
    /** For `verify-audit`: check the whole chain and answer when that is done. */
    report: { method: 'GET', path: '/internal/report', access: 'service', result: Report },
  },
})
