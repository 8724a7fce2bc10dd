import type { NatsConnection } from '@nats-io/transport-node'

/** Bytes that may be under way to the server without its confirmation; a server that hangs takes none. */
const mostUnderWay = 8 * 1024 * 1024
/** Bytes after which a confirmation is asked for. */
const confirmAfter = 256 * 1024
const beatMs = 1_000
/** Beats without a confirmation after which a server counts as hung. */
const mostMissed = 3

/**
 * One connection to a NATS server, from its begin to its end. The server confirms by PONG that it read
 * what was sent; one that does not for three seconds is left, for a server that hangs (SIGSTOP, a
 * network in halves) closes no connection.
 */
export function startSession(connection: NatsConnection, hung: () => void) {
  let sent = 0
  let confirmed = 0
  let isAsked = false
  let missed = 0

  const confirm = () => {
    isAsked = true
    const upTo = sent
    const done = () => {
      confirmed = upTo
      isAsked = false
      missed = 0
      if (sent - confirmed > confirmAfter) confirm()
    }
    connection.flush().then(done, () => undefined) // rejects when the session is over
  }
  const beat = setInterval(() => {
    if (connection.isClosed()) return
    if (!isAsked) return confirm()
    missed += 1
    if (missed === mostMissed) hung()
  }, beatMs)
  void connection.closed().then(() => clearInterval(beat))

  const takesMore = () => !connection.isClosed() && sent - confirmed < mostUnderWay
  const count = (bytes: number) => {
    sent += bytes
    if (!isAsked && sent - confirmed > confirmAfter) confirm()
  }
  return {
    connection,
    takesMore,
    /** False when the server does not take as much as is sent. */
    publish(subject: string, frame: Uint8Array): boolean {
      if (!takesMore()) return false
      connection.publish(subject, frame)
      count(subject.length + frame.length)
      return true
    },
    async request(subject: string, frame: Uint8Array, withinMs: number) {
      count(subject.length + frame.length)
      return (await connection.request(subject, frame, { timeout: Math.max(1, withinMs) })).data
    },
  }
}
export type Session = ReturnType<typeof startSession>
