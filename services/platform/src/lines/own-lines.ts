import { type Epoch, epochsOf, figuresOfLines, type LineKey, linesOfProcess } from './line-store.ts'
import {
  createLineWriter,
  isKnown,
  type OwnLine,
  textOf,
  type WriterOptions,
} from './line-writer.ts'

type Options = WriterOptions & { now: () => Date }

/** Lines of this process: connections of devices, as the table of all processes is to have them. */
export function createOwnLines({ now, ...options }: Options) {
  const { db, node } = options
  const lines = new Map<string, OwnLine>()
  const writer = createLineWriter(options)
  /** The process ends its connections itself: that is no loss. */
  let stopping = false

  /** Ends a line that another process has, and takes one again that the table has lost. */
  const correct = (line: OwnLine, found: { epoch: number; lost: boolean } | undefined) => {
    if (line.lostAt !== undefined || line.epoch === undefined || writer.isWaiting(line)) return
    if (found && found.epoch > line.epoch) return line.end()
    if (found && !found.lost) return
    line.epoch = undefined
    writer.note(line)
  }
  const correctAll = async (mine: readonly OwnLine[]) => {
    const found = new Map((await epochsOf(db, mine)).map((one) => [textOf(one), one]))
    for (const line of mine) correct(line, found.get(textOf(line)))
    const strangers = (await linesOfProcess(db, node)).filter((one) => !lines.has(textOf(one)))
    const lostAt = now()
    if (strangers.length > 0) await writer.lose(strangers.map((one) => ({ ...one, lostAt })))
  }

  return {
    /** Takes a connection as the device's line; the answer is to be called when it is gone. */
    came(key: LineKey, { ip, end }: Pick<OwnLine, 'ip' | 'end'>) {
      const line: OwnLine = { ...key, ip, end, since: now(), epoch: undefined, lostAt: undefined }
      lines.set(textOf(key), line)
      writer.note(line)
      return () => {
        if (stopping) return
        // Later than it came, so that the history has an order.
        line.lostAt = new Date(Math.max(now().getTime(), line.since.getTime() + 1))
        if (lines.get(textOf(key)) === line) lines.delete(textOf(key))
        writer.note(line)
      }
    },
    /** Ends the line that another process has taken. */
    taken(other: Epoch) {
      const line = lines.get(textOf(other))
      if (line?.epoch !== undefined && line.epoch < other.epoch) line.end()
    },
    /** Compares the lines with the table, for changes that this process was not told. */
    async compare() {
      await writer.written()
      const mine = [...lines.values()].filter((line) => isKnown(line) && line.lostAt === undefined)
      const { count, sum } = await figuresOfLines(db, node)
      const own = mine.reduce((total, { epoch = 0 }) => total + BigInt(epoch), 0n)
      if (count !== mine.length || sum !== String(own)) await correctAll(mine)
    },
    written: () => writer.written(),
    /**
     * From now on connections end because this process stops. Where clients go on at other processes, each line is
     * lost as its connection ends; else all are given back at once in the end.
     */
    stop({ clientsGoOn = false } = {}) {
      if (clientsGoOn) writer.stop()
      else stopping = true
    },
    /** Gives all lines back: their devices count as connected until others noticed and waited for them. */
    async close() {
      stopping = true
      await writer.close(now())
    },
  }
}
export type OwnLines = ReturnType<typeof createOwnLines>
