import type { Figures, Rehearsed, RehearsedLeaf } from '@longreach/mappings/rehearsed-contract'
import { coerce } from '@longreach/device-protocol/coerce'
import { createSender, type Sender } from '@longreach/device-protocol/send-policy'
import type { Value } from '@longreach/device-protocol/value'
import type { Point } from '@longreach/telemetry/store'
import { Cursor, earliest } from './rehearsal-cursor.ts'

/** Interval at which a device checks whether a value is due. */
const turnMs = 1_000
const lineSteps = 120

export type Span = { since: number; to: number }
export type Sample = { t: number; v: Value | null }
/** Formula over the newest values by their paths, one of which has just arrived. */
export type Computed = {
  take: (values: ReadonlyMap<string, Value>, name: string, t: number) => readonly Sample[]
  /** Results of steps and stretches that have ended at a time. */
  until: (t: number) => readonly Sample[]
}
export type Streams = {
  own?: AsyncIterable<Point[]>
  /** Other values by name: watched tags, or what a formula is made from. */
  others: ReadonlyMap<string, AsyncIterable<Point[]>>
  compute?: Computed
}

const own = ''

/** Play stored values through a leaf's type, formula and send policy, as a device would. */
export async function rehearse(leaf: RehearsedLeaf, streams: Streams, span: Span) {
  const cursors = await Promise.all(
    [...(streams.own ? [[own, streams.own] as const] : []), ...streams.others].map(
      ([name, pages]) => Cursor.open(name, pages),
    ),
  )
  const playing = new Playing(leaf, streams.compute, span)
  let steps = 0
  for (let next = earliest(cursors); next; next = earliest(cursors)) {
    playing.take(next.name, next.take())
    if (next.isEmpty) await next.fill()
    steps += 1
  }
  playing.end(span.to)
  return { result: playing.result(), steps: steps + playing.turns }
}

/** One leaf while values are played to it. */
class Playing {
  turns = 0
  private readonly before = new Tally()
  private readonly after = new Tally()
  private readonly values = new Map<string, Value>()
  private readonly sender: Sender | undefined
  private readonly rhythm: Rhythm
  private readonly line = new Map<number, [number, number]>()
  private refused = 0
  private problem: string | null = null
  private now: number | undefined
  /** Until then something may wait for its least interval. */
  private busyUntil = 0
  private readonly leaf: RehearsedLeaf
  private readonly compute: Computed | undefined
  private readonly span: Span

  constructor(leaf: RehearsedLeaf, compute: Computed | undefined, span: Span) {
    this.leaf = leaf
    this.compute = compute
    this.span = span
    this.rhythm = rhythmOf(leaf)
    this.sender = leaf.sendPolicy && createSender(leaf.sendPolicy, (tag) => this.values.get(tag))
  }

  take(name: string, { t, v }: Point) {
    this.turnUntil(t)
    if (name === own) this.before.add(t, v)
    if (v === null) return
    const value = v as Value // what is stored came as one
    this.values.set(name, value)
    if (name === own) return this.offer(value, t)
    if (this.compute) return this.offerComputed(this.compute.take(this.values, name, t))
    this.sent(this.sender?.due(t))
  }

  private offerComputed(samples: readonly Sample[]) {
    for (const { t, v } of samples) {
      if (v === null || t < this.span.since) continue
      this.before.add(t, v)
      this.offer(v, t)
    }
  }

  /** The end of the stretch that is played. */
  end(at: number) {
    this.turnUntil(at)
    if (this.compute) this.offerComputed(this.compute.until(at))
  }

  private offer(value: Value, t: number) {
    const coerced = coerce(value, this.leaf.type, this.leaf.fields)
    if (!coerced.ok) {
      this.refused += 1
      this.problem ??= coerced.reason
      return
    }
    this.busyUntil = t + this.rhythm.pauseMs + turnMs
    // Values that the platform computes are stored as they come, without a send policy.
    if (this.compute) this.sent({ v: coerced.value, t })
    else this.sent(this.sender?.offer(coerced.value, t, t))
  }

  /** Checks of the device up to a time, as far as a value could be due. */
  private turnUntil(until: number) {
    const { timerMs } = this.rhythm
    let at = nextTurn(this.now ?? until, turnMs)
    while (this.sender && at < until) {
      if (at > this.busyUntil) {
        if (timerMs === undefined) break
        at = Math.max(at, nextTurn(at - 1, timerMs))
        if (at >= until) break
      }
      this.sent(this.sender.due(at))
      this.turns += 1
      at = nextTurn(at, turnMs)
    }
    this.now = until
  }

  private sent(sample: { v: Value; t: number } | undefined) {
    if (!sample) return
    this.after.add(sample.t, sample.v)
    const number = typeof sample.v === 'boolean' ? Number(sample.v) : sample.v
    if (typeof number !== 'number') return
    const { since, to } = this.span
    this.line.set(Math.floor(((sample.t - since) / (to - since)) * lineSteps), [sample.t, number])
  }

  result(): Rehearsed {
    const { before, after, refused, problem, line } = this
    const figures = { before: before.figures(), after: after.figures() }
    return { path: this.leaf.path, ...figures, refused, problem, line: [...line.values()] }
  }
}

const nextTurn = (after: number, width: number) => (Math.floor(after / width) + 1) * width

type Rhythm = { timerMs: number | undefined; pauseMs: number }

function rhythmOf({ sendPolicy }: RehearsedLeaf): Rhythm {
  const triggers = sendPolicy?.triggers ?? []
  const timers = triggers.flatMap((one) =>
    one.type === 'timer' ? [Math.max(turnMs, one.intervalMs ?? 0)] : [],
  )
  const pauses = triggers.map((one) => (one.type === 'timer' ? 0 : (one.minIntervalMs ?? 0)))
  return {
    timerMs: timers.length > 0 ? Math.min(...timers) : undefined,
    pauseMs: Math.max(0, ...pauses),
  }
}

class Tally {
  private count = 0
  private min: number | null = null
  private max: number | null = null
  private last: Figures['last'] = null

  add(t: number, v: unknown) {
    this.count += 1
    this.last = { t, v }
    const number = typeof v === 'boolean' ? Number(v) : v
    if (typeof number !== 'number') return
    this.min = this.min === null || number < this.min ? number : this.min
    this.max = this.max === null || number > this.max ? number : this.max
  }

  figures(): Figures {
    const { count, min, max, last } = this
    return { count, min, max, last }
  }
}
