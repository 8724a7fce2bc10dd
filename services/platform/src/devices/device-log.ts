import { parseTopic } from '@longreach/device-protocol/topics'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Device } from './device.ts'
import type { ConsoleFrame } from './device-console.ts'
import { insertLog, type LogDb, type NewEntry } from './device-log-store.ts'

type Options = { db: Kysely<LogDb>; now: () => Date; log: FastifyBaseLogger }
type Frame = Omit<ConsoleFrame, 'at' | 'bytes' | 'head'> & { payload: Uint8Array }
type Said = Pick<NewEntry, 'system' | 'level' | 'data' | 'path'>

/** A device that says nonsense a thousand times a second does not fill the disk with it. */
const windowMs = 10_000
const mostInWindow = 50
const flushMs = 500
const headBytes = 64
const longestValue = 500

/** Log of devices: messages beside values, and rejected values, collected and written to the database. */
export function createDeviceLog({ db, now, log }: Options) {
  const waiting: NewEntry[] = []
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const put = ({ id: device_id, org }: Device, said: Said) =>
    waiting.push({ device_id, org, at: now(), ...said })
  const windows = createWindows((device, count) =>
    put(device, { system: false, level: 'warning', path: null, data: { kind: 'more', count } }),
  )
  const write = async () => {
    for (let some = waiting.splice(0, 500); some.length > 0; some = waiting.splice(0, 500)) {
      try {
        await insertLog(db, some)
      } catch (error) {
        log.error({ error }, 'the log of devices could not be written down')
      }
    }
  }
  const flush = () => {
    timer = undefined
    windows.close(now().getTime())
    writing = writing.then(write)
    if (windows.size > 0) schedule(windowMs)
    return writing
  }
  const schedule = (ms: number) => {
    timer ??= setTimeout(() => void flush(), ms).unref()
  }

  return {
    /** A frame between device and platform; values that were understood are no matter of the log. */
    heard(device: Device, frame: Frame) {
      if (frame.ok && frame.path !== undefined) return
      const kind = parseTopic(frame.topic)?.kind ?? 'message'
      if (frame.ok && kind === 'agentHealth') return
      if (windows.takes(device, now().getTime())) put(device, contentOfLog(frame, kind))
      schedule(flushMs)
    },
    /** Everything heard so far is on the disk. */
    async flush() {
      clearTimeout(timer)
      await flush()
    },
    async close() {
      clearTimeout(timer)
      windows.close(Infinity)
      await writing
      await write()
    },
  }
}

/** Counts the entries of each device in a window of time, and reports how many above the limit were left out. */
function createWindows(over: (device: Device, count: number) => void) {
  const windows = new Map<string, { device: Device; until: number; count: number }>()
  const close = (id: string, at: number) => {
    const window = windows.get(id)
    if (!window || at < window.until) return
    windows.delete(id)
    if (window.count > mostInWindow) over(window.device, window.count - mostInWindow)
  }
  return {
    get size() {
      return windows.size
    },
    takes(device: Device, at: number) {
      close(device.id, at)
      const window = windows.get(device.id) ?? { device, until: at + windowMs, count: 0 }
      windows.set(device.id, window)
      window.count += 1
      return window.count <= mostInWindow
    },
    close(at: number) {
      for (const id of windows.keys()) close(id, at)
    },
  }
}

function contentOfLog(
  { ok, direction, topic, payload, path, reason, value }: Frame,
  kind: string,
): Said {
  const head = Buffer.from(payload.subarray(0, headBytes)).toString('hex')
  const data = {
    kind: ok ? kind : 'rejected',
    direction,
    topic,
    bytes: payload.length,
    ...(reason !== undefined && { reason }),
    ...(value !== undefined && { value: shortenValue(value) }),
    ...(!ok && { head }),
  }
  // Writes are of interest to people; other successful messages belong to the protocol.
  const system = ok && !(direction === 'sent' && kind === 'value')
  return { system, level: ok ? 'info' : 'warning', path: path ?? null, data }
}

/** Long values are cut: the log says what happened, not everything that was in it. */
export function shortenValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= longestValue ? value : `${text.slice(0, longestValue)}…`
}
