import { PointBuffer } from './columns.ts'
import type { HeadRow } from './head-codec.ts'
import type { Value } from './point.ts'

/** What this process holds of one series: values on disk in the write-ahead table only, and the newest value. */
export class LiveSeries {
  readonly id: number
  open: PointBuffer | undefined
  /** On its way into chunks; nothing is added any more. */
  closing: PointBuffer | undefined
  touched = -1
  /** Values of the generation before: the next one will hold about as many. */
  usual = 0
  t = -Infinity
  v: Value = null
  q = 0
  /** Whether the newest value of all is known here, not only of those that passed through memory. */
  complete = false
  constructor(id: number) {
    this.id = id
  }
}

type Versions = { from: number; to: number }
export type Generation = {
  number: number
  series: LiveSeries[]
  /** In values of eight bytes; a long text counts for more. */
  weight: number
  heads: Versions[]
  /** When its first value came, ms since 1970. */
  since: number
}

const freshGeneration = (number: number): Generation => ({
  number,
  series: [],
  weight: 0,
  heads: [],
  since: Infinity,
})

/** The values that are durable in the write-ahead table and not yet in chunks. */
export class Live {
  readonly series = new Map<number, LiveSeries>()
  open = freshGeneration(0)
  closing: Generation | undefined

  get weight() {
    return this.open.weight + (this.closing?.weight ?? 0)
  }

  of(id: number): LiveSeries {
    let live = this.series.get(id)
    if (!live) {
      live = new LiveSeries(id)
      this.series.set(id, live)
    }
    return live
  }

  /** Add one durable value; of several at one time the one added last wins. */
  add(row: HeadRow) {
    const { open } = this
    const live = this.of(row.series)
    if (live.touched !== open.number) {
      live.touched = open.number
      open.series.push(live)
    }
    if (row.t >= live.t) {
      live.t = row.t
      live.v = row.v
      live.q = row.q
    }
    if (row.lastOnly) return
    const weight = weightOf(row.v)
    open.weight += weight
    live.open ??= new PointBuffer(roomFor(live.usual))
    live.open.push(row.t, row.v, row.q)
    live.open.weight += weight
  }

  /** The write-ahead row `version` belongs to the open generation: it goes when that is in chunks. */
  addHead(version: number, now: number) {
    const { heads } = this.open
    const tail = heads.at(-1)
    if (tail && tail.to + 1 === version) tail.to = version
    else heads.push({ from: version, to: version })
    this.open.since = Math.min(this.open.since, now)
  }

  /** Close the open generation; the next value starts another. */
  rotate(): Generation {
    const closed = this.open
    for (const live of closed.series) {
      live.closing = live.open
      live.usual = live.open?.length ?? 0
      live.open = undefined
    }
    this.closing = closed
    this.open = freshGeneration(closed.number + 1)
    return closed
  }

  drop(ids: number[]) {
    const gone = new Set(ids)
    for (const id of ids) this.series.delete(id)
    for (const generation of [this.open, this.closing])
      if (generation) generation.series = generation.series.filter(({ id }) => !gone.has(id))
  }
}

const leastRoom = 8
const mostRoom = 1024
/** A little more than usual, so that a generation that is as long as the one before never grows. */
const roomFor = (usual: number) => Math.min(mostRoom, Math.max(leastRoom, usual + (usual >> 3)))

/** What a value costs in memory, in units of a number. */
export function weightOf(value: Value): number {
  if (typeof value === 'string') return 1 + value.length / 8
  if (typeof value === 'object' && value !== null) return 1 + JSON.stringify(value).length / 4
  return 1
}
