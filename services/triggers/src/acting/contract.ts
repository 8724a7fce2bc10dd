import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceId } from '../asked-contract.ts'

const scalar = z.union([z.number(), z.string(), z.boolean(), z.null()])

/** Write of a trigger, by the rights of its owner. */
const TriggerWrite = z.object({
  id: z.uuid(),
  path: z.string(),
  value: scalar,
  /** Organization of the trigger, and its owner there. */
  organization: z.string(),
  owner: z.object({ sub: z.string(), username: z.string(), realm: z.string() }),
})

export const actingContract = definePartContract({
  endpoints: {
    /** Writes that wait for a device; the process that asks carries them out. */
    takeWrites: {
      method: 'POST',
      path: '/internal/devices/:deviceId/writes',
      access: 'service',
      params: z.object({ deviceId }),
      body: z.object({}).default({}),
      result: z.object({ writes: z.array(TriggerWrite) }),
    },
    /** End of a write: what the device answered, or why it was not written. */
    endWrite: {
      method: 'POST',
      path: '/internal/writes/:id/end',
      access: 'service',
      params: z.object({ id: z.uuid() }),
      body: z.object({ isWritten: z.boolean(), answer: z.string().max(4_000), ms: z.int() }),
      result: z.undefined(),
    },
  },
})
