import { defineSubject, subjectAt } from '@longreach/kit/fabric-contract'
import { failure } from '@longreach/kit/errors'
import type { Caller, OrgCtx } from '@longreach/kit/service'
import { z } from 'zod'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import type { Device } from '../devices/device.ts'
import { deviceFor } from '../devices/device-access.ts'
import { askHolder } from '../lines/line-calls.ts'
import type { Known } from './known.ts'
import { requireWritable } from './path-writing.ts'
import { type Wish, type Written, writeHere } from './tag-writing.ts'

/** Caller of a call, as another process is told who asks. */
const CallerWord = z.custom<Caller>(
  (value) => z.looseObject({ kind: z.string(), sub: z.string() }).safeParse(value).success,
)

/** Write of values by the process that the device is connected to. */
const writeSubject = defineSubject({
  subject: 'node.:node.write',
  request: z.object({
    caller: CallerWord,
    organization: z.string(),
    deviceId: z.string(),
    wishes: z.array(z.object({ modelPath: z.string(), v: z.json().optional() })),
    timeoutMs: z.int(),
  }),
  reply: z.array(
    z.object({
      modelPath: z.string(),
      status: z.enum(['sent', 'confirmed', 'no_answer']),
      value: z.json().optional(),
      t: z.number().optional(),
    }),
  ),
})

type Asking = { ctx: Pick<OrgCtx, 'caller' | 'organization'>; timeoutMs: number }

/** Writes values by the process that the device is connected to; undefined when it is connected to no other. */
export async function writeElsewhere(
  deps: PlatformDeps,
  device: Device,
  wishes: readonly Wish[],
  { ctx: { caller, organization }, timeoutMs }: Asking,
): Promise<Written[] | undefined> {
  const request = writeSubject.request.parse({
    caller,
    organization: organization.resourceId,
    deviceId: device.id,
    wishes,
    timeoutMs,
  })
  const question = { deviceId: device.id, request, workMs: timeoutMs }
  const written = await askHolder(deps, writeSubject, question)
  return written?.map(({ value, t, ...one }) => ({
    ...one,
    ...(value !== undefined && { value }),
    ...(t !== undefined && { t }),
  }))
}

/**
 * Takes writes of other processes. A message carries no right: who asks is checked again here, as if
 * they had asked this process.
 */
export const answerWrites = (known: Known, deps: PlatformDeps) =>
  deps.fabric.answer(
    { ...writeSubject, ...subjectAt(writeSubject, { node: deps.ownProcess.number }) },
    async ({ caller, organization, deviceId, wishes, timeoutMs }) => {
      const admission = await deps.admit(caller, organization)
      if (!admission) {
        throw failure(platformContract, 'not_found', {
          message: `no device ${deviceId} here`,
          deviceId,
        })
      }
      const device = await deviceFor(known.directory, admission, deviceId)
      for (const { modelPath } of wishes) requireWritable(admission, device, modelPath)
      const signal = AbortSignal.timeout(timeoutMs + 1_000)
      const written = await writeHere(known, device, wishes, { timeoutMs, now: deps.now, signal })
      return writeSubject.reply.parse(written)
    },
  )
