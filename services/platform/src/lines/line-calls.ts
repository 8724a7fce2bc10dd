import type { CallSubject } from '@longreach/kit/fabric-contract'
import { subjectAt } from '@longreach/kit/fabric-contract'
import { NoAnswer } from '@longreach/kit/fabric-wire'
import { failure } from '@longreach/kit/errors'
import type { z } from 'zod'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import { processOf } from './line-store.ts'

/** Time that a call between two processes may take beside the work itself. */
const travelMs = 5_000

type Asking = Pick<PlatformDeps, 'db' | 'fabric' | 'ownProcess'>
type Question<Q> = { deviceId: string; request: Q; workMs?: number }

/**
 * Answer of the process that the device is connected to; undefined when it is connected to no other
 * process. `workMs` is the time that the other process may take. A process that cannot be asked is 503.
 */
export async function askHolder<Q extends z.ZodType, A extends z.ZodType>(
  { db, fabric, ownProcess }: Asking,
  family: CallSubject<Q, A> & { subject: `node.:node.${string}` },
  { deviceId, request, workMs = 0 }: Question<z.input<Q>>,
): Promise<z.output<A> | undefined> {
  const node = await processOf(db, deviceId)
  if (node === undefined || node === ownProcess.number) return undefined
  const subject = { ...family, ...subjectAt(family, { node }) }
  return fabric
    .call(subject, request, { deadlineMs: workMs + travelMs })
    .catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
      throw failure(platformContract, 'unreachable', {
        message: 'the server that the device is connected to cannot be reached; try again',
        deviceId,
      })
    })
}
