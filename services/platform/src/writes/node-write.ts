import { defineSubject, subjectAt } from '@longreach/kit/fabric-contract'
import { z } from 'zod'
import type { PlatformDeps } from '../deps.ts'
import type { Device } from '../devices/device.ts'
import { Asker, deviceForAsker } from '../devices/asker.ts'
import { askHolder } from '../lines/line-calls.ts'
import type { Known } from './known.ts'
import { requireWritable } from './path-writing.ts'
import { requireSecondPerson } from './second-person.ts'
import { type Wish, type Written, writeHere } from './tag-writing.ts'

/** Write of values by the process that the device is connected to. */
const writeSubject = defineSubject({
  subject: 'node.:node.write',
  request: z.object({
    asker: Asker,
    deviceId: z.string(),
    wishes: z.array(z.object({ modelPath: z.string(), v: z.json().optional() })),
    timeoutMs: z.int(),
    /** Id of the request that a second person has agreed to. */
    approved: z.string().optional(),
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

type Asking = { asker: Asker; timeoutMs: number; approved: string | undefined }

/** Writes values by the process that the device is connected to; undefined when it is connected to no other. */
export async function writeElsewhere(
  deps: PlatformDeps,
  device: Device,
  wishes: readonly Wish[],
  { asker, timeoutMs, approved }: Asking,
): Promise<Written[] | undefined> {
  const request = writeSubject.request.parse({
    asker,
    deviceId: device.id,
    wishes,
    timeoutMs,
    approved,
  })
  const question = { deviceId: device.id, request, workMs: timeoutMs }
  const written = await askHolder(deps, writeSubject, question)
  return written?.map(({ value, t, ...one }) => ({
    ...one,
    ...(value !== undefined && { value }),
    ...(t !== undefined && { t }),
  }))
}

/** Takes writes of other processes, with the rights that who asks has here and now. */
export const answerWrites = (known: Known, deps: PlatformDeps) =>
  deps.fabric.answer(
    { ...writeSubject, ...subjectAt(writeSubject, { node: deps.ownProcess.number }) },
    async ({ asker, deviceId, wishes, timeoutMs, approved }) => {
      const asked = { asker, deviceId, action: 'read' } as const
      const { admission, device } = await deviceForAsker({ ...known, admit: deps.admit }, asked)
      for (const { modelPath } of wishes) requireWritable(admission, device, modelPath)
      await requireSecondPerson(deps.db, device, { wishes, approved })
      const signal = AbortSignal.timeout(timeoutMs + 1_000)
      const written = await writeHere(known, device, wishes, { timeoutMs, now: deps.now, signal })
      return writeSubject.reply.parse(written)
    },
  )
