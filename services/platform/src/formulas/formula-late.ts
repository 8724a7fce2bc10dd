import type { TelemetryStore } from '@longreach/telemetry/store'
import type { FastifyBaseLogger } from 'fastify'
import type { Device } from '../devices/device.ts'
import { computeAgain, type Keep } from './formula-again.ts'

type Options = {
  store: () => Promise<TelemetryStore>
  keep: Keep
  /** Everything from `since` on was computed again. */
  done?: (device: Device, since: number) => void
  log?: Pick<FastifyBaseLogger, 'warn'>
  /** Late values come in crowds: what they change is computed once after them. */
  waitMs: number
}

/**
 * Values that arrive after newer ones: what depends on them is computed again from what is stored,
 * one device after the other, so that a flood of them takes no more than its share.
 */
export function createFormulaLate({ store, keep, done, log, waitMs }: Options) {
  const waiting = new Map<Device, number>()
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  let closed = false

  const work = async () => {
    // Values that arrive meanwhile wait for the next round: they may not be durable yet.
    const now = [...waiting]
    waiting.clear()
    for (const [device, since] of now) {
      if (closed) return
      try {
        await recompute(await store(), device, since, keep)
        done?.(device, since)
      } catch (error) {
        log?.warn({ err: error, device: device.id }, 'late values were not computed with')
      }
    }
  }
  const run = () => {
    timer = undefined
    working = working.then(work)
    return working
  }

  return {
    note(device: Device, since: number) {
      waiting.set(device, Math.min(since, waiting.get(device) ?? Infinity))
      if (!closed) timer ??= setTimeout(() => void run(), waitMs).unref()
    },
    /** Finishes running work, and computes what waits at once. */
    async close() {
      clearTimeout(timer)
      await run()
      closed = true
    },
  }
}

/** Everything that the device computes at once, from `since` on; inputs before what needs them. */
async function recompute(telemetry: TelemetryStore, device: Device, since: number, keep: Keep) {
  for (const computed of device.formulas?.ordered ?? []) {
    if (!computed.windows) await computeAgain(telemetry, device, { computed, since, keep })
  }
}
