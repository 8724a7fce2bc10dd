import type { Point } from '@longreach/telemetry/store'
import type { WebSocket } from 'ws'
import type { LiveLimits } from './live-messages.ts'

/** Path of a value, or its index in the list of the subscription. */
type PathKey = string | number
type Row = [id: number, path: PathKey, t: number, value: unknown, quality: number]
type Feed = { everyMs: number; dueAt: number; latest: Map<PathKey, Point> }

const tickMs = 50

/**
 * Messages that wait for one client. Of a path only the latest value waits, so a slow client takes
 * memory for its subscribed paths and no more.
 */
export function createOutbox(socket: WebSocket, limits: LiveLimits) {
  const feeds = new Map<number, Feed>()
  const frames: unknown[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  const send = (message: unknown) => {
    if (socket.readyState !== socket.OPEN) return
    // Who asks and asks and never reads gets no more memory.
    if (socket.bufferedAmount > limits.unreadAnswers) return socket.terminate()
    socket.send(JSON.stringify(message))
  }

  const rowsDue = (now: number) => {
    const rows: Row[] = []
    for (const [id, feed] of feeds) {
      if (feed.latest.size === 0 || now < feed.dueAt) continue
      feed.dueAt = now + feed.everyMs
      for (const [path, { t, v, q }] of feed.latest) rows.push([id, path, t, v, q])
      feed.latest.clear()
    }
    return rows
  }
  const isWaiting = () =>
    frames.length > 0 || [...feeds.values()].some(({ latest }) => latest.size > 0)

  const flush = () => {
    timer = undefined
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount < limits.unread) {
      const rows = rowsDue(performance.now())
      if (rows.length > 0) send({ op: 'values', v: rows })
      for (const frame of frames.splice(0)) send(frame)
    }
    if (isWaiting()) wake()
  }
  const wake = () => (timer ??= setTimeout(flush, tickMs))

  return {
    /** At once, for answers; `values` and console frames wait for a slow reader, these do not. */
    send,
    open(id: number, maxHz: number) {
      feeds.set(id, { everyMs: 1_000 / maxHz, dueAt: 0, latest: new Map() })
    },
    close: (id: number) => feeds.delete(id),
    /** False while the client has not read what it was sent. */
    isFree: () => socket.bufferedAmount < limits.unread,
    value(id: number, path: PathKey, point: Point) {
      const feed = feeds.get(id)
      if (!feed) return
      const before = feed.latest.get(path)
      // Values that come late are history, not what is now.
      if (before && before.t > point.t) return
      feed.latest.set(path, point)
      wake()
    },
    /** Takes back a value that waits: its path may not be read any more, or nobody wants it. */
    forget: (id: number, path: PathKey) => feeds.get(id)?.latest.delete(path),
    frame(message: unknown) {
      if (frames.length >= limits.frames) {
        frames.shift()
        dropped += 1
      }
      frames.push(message)
      wake()
    },
    /** Number of waiting messages, for tests and metrics. */
    waiting: () => ({
      values: [...feeds.values()].reduce((sum, { latest }) => sum + latest.size, 0),
      frames: frames.length,
      dropped,
    }),
    end() {
      clearTimeout(timer)
      feeds.clear()
      frames.length = 0
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>
