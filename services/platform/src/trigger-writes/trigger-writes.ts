import { AppError } from '@longreach/kit/errors'
import type { Client } from '@longreach/kit/client'
import type { Result } from '@longreach/kit/contract'
import type { triggersContract } from '@longreach/triggers/contract'
import type { PlatformDeps } from '../deps.ts'
import { deviceForAsker } from '../devices/asker.ts'
import { baseOf, type Device } from '../devices/device.ts'
import type { Known } from '../writes/known.ts'
import { requireWritable } from '../writes/path-writing.ts'
import { requireSecondPerson } from '../writes/second-person.ts'
import { writeHere } from '../writes/tag-writing.ts'

type Write = Result<typeof triggersContract.endpoints.takeWrites>['writes'][number]
type Options = {
  known: Known
  deps: Pick<PlatformDeps, 'db' | 'admit' | 'now' | 'log'>
  triggers: Client<typeof triggersContract>
}

/** Time in ms in which a device has to report what was written. */
const timeoutMs = 10_000
/** Time in ms after which writes are asked for again when triggers did not answer. */
const againAfterMs = 2_000

/** Writes of triggers to devices that are connected to this process. */
export function createTriggerWrites({ known, deps, triggers }: Options) {
  const { log } = deps
  const again = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let isClosed = false

  const carryOut = async (device: Device, write: Write) => {
    const begun = performance.now()
    const end = await endOfWrite({ known, deps }, device, write)
    const ms = Math.round(performance.now() - begun)
    try {
      await triggers.endWrite({ params: { id: write.id }, body: { ...end, ms } })
    } catch (error) {
      // It ends there by itself after its time, as one without an answer.
      log.warn({ err: error, device: device.id }, 'the end of a write of a trigger was not told')
    }
  }
  const take = async (device: Device) => {
    if (!known.mqtt.endpoint?.isConnected(baseOf(device))) return
    const { writes } = await triggers.takeWrites({ params: { deviceId: device.id }, body: {} })
    for (const write of writes) await carryOut(device, write)
  }
  const takeSafely = async (device: Device): Promise<void> => {
    try {
      await take(device)
    } catch (error) {
      log.warn({ err: error, device: device.id }, 'writes of triggers could not be asked for')
      if (isClosed || again.has(device.id)) return
      const askAgain = () => {
        again.delete(device.id)
        run(device)
      }
      again.set(device.id, setTimeout(askAgain, againAfterMs).unref())
    }
  }
  const run = (device: Device) => {
    const one = takeSafely(device).finally(() => running.delete(one))
    running.add(one)
  }
  return {
    run,
    async close() {
      isClosed = true
      for (const timer of again.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

/** Result of a write with the rights that the owner of the trigger has now. */
async function endOfWrite(
  { known, deps }: Pick<Options, 'known' | 'deps'>,
  device: Device,
  write: Write,
) {
  const { path: modelPath, value: v, organization, owner } = write
  const wishes = [{ modelPath, v }]
  const asker = { caller: { kind: 'user' as const, ...owner }, organization, ip: '' }
  try {
    const asked = { asker, deviceId: device.id, action: 'read' } as const
    const { admission } = await deviceForAsker({ ...known, admit: deps.admit }, asked)
    requireWritable(admission, device, modelPath)
    await requireSecondPerson(deps.db, device, { wishes })
    const signal = AbortSignal.timeout(timeoutMs + 1_000)
    const [written] = await writeHere(known, device, wishes, { timeoutMs, now: deps.now, signal })
    const isWritten = written?.status !== 'no_answer'
    const answer = isWritten
      ? `${modelPath} = ${String(written?.value ?? v)}`
      : 'The device did not report the value back.'
    return { isWritten, answer: answer.slice(0, 4_000) }
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.error({ err: error }, 'a write of a trigger failed')
    const message = error instanceof AppError ? error.details['message'] : undefined
    const answer = typeof message === 'string' ? message : 'The value could not be written.'
    return { isWritten: false, answer: answer.slice(0, 4_000) }
  }
}
