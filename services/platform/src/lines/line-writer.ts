import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { ServiceDb } from '../database.ts'
import { giveLinesBack, type LineKey, loseLines, takeLines } from './line-store.ts'
import { endLostLines } from './lost-lines.ts'

/** Connection to this process, with the means to end it when another process has taken the line. */
export type OwnLine = LineKey & {
  ip: string
  since: Date
  end: () => void
  /** Undefined until it is written down. */
  epoch: number | undefined
  lostAt: Date | undefined
}

export type WriterOptions = {
  db: Kysely<ServiceDb>
  /** Number of this process. */
  node: number
  log: FastifyBaseLogger
  /** Time that a device has to connect again before it counts as disconnected. */
  graceMs: number
}

const atOnce = 200
const againAfterMs = 1_000

/** Text that is equal for equal keys of lines. */
export const textOf = ({ deviceId, clientId }: LineKey) => `${deviceId}\n${clientId}`

/**
 * Writer of this process's lines: many at once, in the order in which they came and went. Changes that
 * could not be written are written later.
 */
export function createLineWriter({ db, node, log, graceMs }: WriterOptions) {
  const waiting = new Set<OwnLine>()
  const delayed = createDelays()
  let writing: Promise<void> | undefined
  /** While it stops, lines that it loses get their time from the processes that go on. */
  let stopping = false

  const failed = (text: string) => (error: unknown) => log.error({ error }, text)
  const end = createLineEnd(db, failed('lost lines could not be ended'))
  const endWhenDue = () => delayed.add(graceMs, end)

  const writeClaims = async (batch: readonly OwnLine[]) => {
    // The newest of a key is the connection: the ones before were ended for it.
    const newest = [...new Map(batch.map((line) => [textOf(line), line])).values()]
    const claims = newest.map((line) => ({ ...line }))
    const epochs = new Map(
      (await takeLines(db, { node, graceMs }, claims)).map((one) => [textOf(one), one.epoch]),
    )
    for (const [place, line] of newest.entries()) {
      line.epoch = epochs.get(textOf(line))
      const lostBefore = claims[place]?.lostAt !== undefined
      if (line.epoch === undefined && line.lostAt === undefined) line.end()
      else if (line.lostAt !== undefined && !lostBefore) waiting.add(line)
    }
    if (claims.some(({ lostAt }) => lostAt !== undefined)) endWhenDue()
  }
  const writeLosses = async (batch: readonly OwnLine[]) => {
    const losses = batch.flatMap(({ epoch, lostAt, ...line }) =>
      epoch === undefined || lostAt === undefined ? [] : [{ ...line, epoch, lostAt }],
    )
    await loseLines(db, stopping ? undefined : graceMs, losses)
    if (!stopping) endWhenDue()
  }
  const writeAll = async () => {
    while (waiting.size > 0) {
      const batch = takeSome(waiting)
      const [known, fresh] = [batch.filter(isKnown), batch.filter((line) => !isKnown(line))]
      try {
        if (known.length > 0) await writeLosses(known)
        if (fresh.length > 0) await writeClaims(fresh)
      } catch (error) {
        failed('connections could not be written down yet')(error)
        putBack(waiting, batch)
        delayed.add(againAfterMs, write)
        break
      }
    }
    writing = undefined
  }
  const write = () => {
    // Without work it would end before it is kept, and be kept for ever.
    if (waiting.size > 0) writing ??= writeAll()
  }

  return {
    /** Notes a line that is to be written down, or that was lost since. */
    note(line: OwnLine) {
      waiting.add(line)
      write()
    },
    isWaiting: (line: OwnLine) => waiting.has(line),
    /** Marks lines as lost that this process has by the table alone. */
    async lose(lines: Parameters<typeof loseLines>[2]) {
      await loseLines(db, graceMs, lines)
      endWhenDue()
    },
    /** Resolves when all changes until now are written down, or must be tried again later. */
    async written() {
      await writing
    },
    stop() {
      stopping = true
    },
    /** Gives all lines of this process back, at this time. */
    async close(at: Date) {
      delayed.close()
      await writing
      await giveLinesBack(db, node, at)
    },
  }
}

/** Work after some time, until it is closed. */
function createDelays() {
  const timers = new Set<NodeJS.Timeout>()
  let closed = false
  return {
    add(ms: number, work: () => unknown) {
      if (closed) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        work()
      }, ms).unref()
      timers.add(timer)
    },
    close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/**
 * End of lost lines, one run at a time and one that follows: runs beside each other would wait for the same
 * devices, each with a connection of the database.
 */
function createLineEnd(db: Kysely<ServiceDb>, onFailure: (error: unknown) => void) {
  let ending = Promise.resolve()
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    ending = ending
      .then(() => {
        isAsked = false
        return endLostLines(db)
      })
      .catch(onFailure)
  }
}

/** True for a line that is written down. */
export const isKnown = ({ epoch }: OwnLine) => epoch !== undefined

function takeSome(waiting: Set<OwnLine>) {
  const some: OwnLine[] = []
  for (const line of waiting) {
    if (some.push(line) === atOnce) break
  }
  for (const line of some) waiting.delete(line)
  return some
}

/** Puts lines before those that were noted meanwhile: of one key the newest must stay the last. */
function putBack(waiting: Set<OwnLine>, batch: readonly OwnLine[]) {
  const since = [...waiting]
  waiting.clear()
  for (const line of [...batch, ...since]) waiting.add(line)
}
