import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import { replayFromRing, type Replayed } from './late.ts'
import { type Occurrence, occurrencesOf } from './occurrences.ts'
import { type Correction, isAfter, reconcile, type Stored } from './reconcile.ts'
import { type Page, replay } from './replay.ts'
import { compiledOf } from './rule-testing.ts'
import type { Given } from './input.ts'
import { type Instance, newInstance } from './state.ts'
import { ringLimits } from './ring.ts'
import { step, type Stepped } from './step.ts'

const above = { path: 'temp', op: '>', value: 5 }
const rules: Record<string, unknown>[] = [
  { when: above },
  { when: { ...above, clear: 3 }, onDelayMs: 700 },
  { when: { ...above, forMs: 300 }, offDelayMs: 400, chatter: { max: 2, withinMs: 4_000 } },
  { when: { all: [above, { path: 'door', op: '<', value: 4, forMs: 500 }] }, quality: 'alarm' },
  { when: { any: [{ not: above }, { path: 'door', op: 'changed', forMs: 200 }] }, onDelayMs: 100 },
  {
    when: { path: 'temp', op: '>' },
    levels: [
      { severity: 2, value: 3, clear: 2 },
      { severity: 5, value: 7 },
    ],
    onDelayMs: 250,
  },
  {
    when: { path: 'temp', op: '>', otherPath: 'door', clear: 2 },
    unless: { when: { path: 'temp', op: '>', value: 8 }, onDelayMs: 100, offDelayMs: 900 },
  },
  { when: { formula: 'delta(temp) + door', op: '>', value: 4 }, offDelayMs: 150 },
  { when: { path: 'door', op: 'changed' } },
]
/** Start of the values, some seconds before a window opens. */
const start = Date.parse('2026-01-05T05:59:57Z')
rules.push({
  when: { ...above, forMs: 300 },
  onDelayMs: 400,
  schedule: { zone: 'UTC', times: [{ days: [1], from: '06:00', to: '22:00' }] },
})
const compiled = rules.map((one) => compiledOf(one))

type Value = { t: number; input: number; v: number; q: number }
/** Values of two inputs over some seconds, of which many have one time. */
const values = fc.array(
  fc.record({
    t: fc.integer({ min: 0, max: 80 }).map((tenth) => start + tenth * 100),
    input: fc.integer({ min: 0, max: 1 }),
    v: fc.integer({ min: 0, max: 9 }),
    q: fc.constantFrom(0, 0, 0, 1, 2),
  }),
  { minLength: 1, maxLength: 60 },
)
const byTime = (list: readonly Value[]) => list.toSorted((one, other) => one.t - other.t)
const isKnown = ({ inputs }: CompiledRule, { input }: Value) => input < inputs.length

/** State that a process keeps, and the occurrences that it stored. */
class Process {
  instance: Instance
  stored: (Stored & Occurrence)[] = []
  beyond = 0
  /** Largest number of open occurrences at once. */
  mostOpen = 0
  /** Changes of a step are later than those of all steps before. */
  isOrdered = true
  private newestChange = -Infinity
  private readonly rule: CompiledRule
  constructor(rule: CompiledRule) {
    this.rule = rule
    this.instance = newInstance(rule)
  }

  take(t: number, values: readonly Given[]) {
    const stepped: Stepped = step(this.rule, this.instance, { t, values })
    if (!stepped.isLate) {
      this.instance = stepped.instance
      this.add(stepped.changes)
      return
    }
    const replayed: Replayed | undefined = replayFromRing(this.rule, this.instance, { t, values })
    if (!replayed) {
      this.beyond += 1
      return
    }
    this.instance = replayed.instance
    const wanted = occurrencesOf(replayed.changes, replayed.open)
    const known = this.stored.filter((one) => isAfter(one, replayed.since))
    for (const one of reconcile(known, wanted, { now: t, lateNotifyMs: 0 })) this.correct(one)
    this.mostOpen = Math.max(this.mostOpen, this.stored.filter(isOpen).length)
  }

  private add(changes: readonly Change[]) {
    for (const { t } of changes) {
      if (t <= this.newestChange) this.isOrdered = false
    }
    this.newestChange = Math.max(this.newestChange, changes.at(-1)?.t ?? this.newestChange)
    const open = this.stored.find(isOpen)
    const rest = this.stored.filter((one) => one !== open)
    this.stored = [...rest, ...occurrencesOf(changes, open)]
  }

  private correct(one: Correction) {
    if (one.kind === 'raise' || one.kind === 'late') {
      this.stored.push(one.occurrence)
      return
    }
    const found = this.stored.find(({ start }) => start === one.start)!
    if (one.kind === 'severity') Object.assign(found, one)
    else if (one.kind === 'withdraw') found.isWithdrawn = true
    else {
      delete found.isWithdrawn
      delete found.end
      if (one.end !== undefined) found.end = one.end
    }
  }

  /** Occurrences that count, without what late values do not correct. */
  get counting() {
    return this.stored
      .filter(({ isWithdrawn }) => isWithdrawn !== true)
      .toSorted((one, other) => one.start - other.start)
      .map(seen)
  }
}
const isOpen = (one: Stored) => one.end === undefined && one.isWithdrawn !== true
const seen = ({ start, end, severity, maxSeverity }: Occurrence) => ({
  start,
  end,
  severity,
  maxSeverity,
})
const until = start + 86_400_000 * 2

/** Occurrences of a replay; of several values of one input at one time the last counts. */
function replayedOf(rule: CompiledRule, sorted: readonly Value[]) {
  const page: Page = {
    t: sorted.map(({ t }) => t),
    input: sorted.map(({ input }) => input),
    v: sorted.map(({ v }) => v),
    q: sorted.map(({ q }) => q),
  }
  return occurrencesOf(replay(rule, [page], until)).map(seen)
}

const ruleAndValues = fc.tuple(fc.constantFrom(...compiled), values)

test('values in order of time give the same step by step, with a state that is read back, and in a replay', () => {
  fc.assert(
    fc.property(ruleAndValues, ([rule, list]) => {
      const sorted = byTime(list).filter((one) => isKnown(rule, one))
      const process = new Process(rule)
      for (const { t, input, v, q } of sorted) {
        process.take(t, [[input, v, q]])
        process.instance = JSON.parse(JSON.stringify(process.instance)) as Instance
      }
      process.take(until, [])
      expect(process.beyond).toBe(0)
      expect(process.counting).toEqual(replayedOf(rule, sorted))
    }),
    { numRuns: 500 },
  )
})

test('late values within the ring give the same as sorted ones, and there are never two open ones', () => {
  const arrivals = fc.tuple(ruleAndValues, fc.infiniteStream(fc.integer({ min: 0, max: 1_500 })))
  fc.assert(
    fc.property(arrivals, ([[rule, list], delays]) => {
      const arriving = list
        .filter((one) => isKnown(rule, one))
        .map((one) => ({ ...one, at: one.t + (delays.next().value as number) }))
        .toSorted((one, other) => one.at - other.at)
      const process = new Process(rule)
      const taken: Value[] = []
      for (const one of arriving) {
        const before = process.beyond
        process.take(one.t, [[one.input, one.v, one.q]])
        // What is older than the ring is judged from the store, and not here.
        if (process.beyond === before) taken.push(one)
        // A state that is read back goes on like the one in memory.
        if (one.v % 4 === 0) {
          process.instance = JSON.parse(JSON.stringify(process.instance)) as Instance
        }
        // The clock of the device goes on, so that timers run before late values come.
        if (one.v % 3 === 0) process.take(one.at, [])
      }
      process.take(until, [])
      expect(process.counting).toEqual(replayedOf(rule, byTime(taken)))
      expect(process.mostOpen).toBeLessThanOrEqual(1)
      expect(process.isOrdered).toBe(true)
    }),
    { numRuns: 1_500 },
  )
})

test('a late value within five seconds is judged from the ring, an older one is not', () => {
  const [rule] = compiled
  if (!rule) throw new Error('there are rules')
  let instance = newInstance(rule)
  const take = (t: number, v: number) => {
    const stepped = step(rule, instance, { t, values: [[0, v]] })
    instance = stepped.instance
    return stepped
  }
  for (let t = 0; t <= 12_000; t += 1_000) take(t, 1)
  const late = take(7_500, 9)
  expect([late.isLate, late.changes]).toEqual([true, []])
  const replayed = replayFromRing(rule, instance, { t: 7_500, values: [[0, 9]] })
  expect(replayed && occurrencesOf(replayed.changes, replayed.open)).toMatchObject([
    { start: 7_500, end: 8_000 },
  ])
  expect(
    replayFromRing(rule, instance, { t: 12_000 - ringLimits.ms, values: [[0, 9]] }),
  ).toBeUndefined()
})

test('the same path at the same time again takes the place of the value', () => {
  const [rule] = compiled
  if (!rule) throw new Error('there are rules')
  const process = new Process(rule)
  process.take(1_000, [[0, 9]])
  process.take(1_000, [[0, 1]])
  expect(process.counting).toEqual([])
  process.take(1_000, [[0, 9]])
  expect(process.counting).toMatchObject([{ start: 1_000 }])
  expect(process.stored).toHaveLength(1)
})
