import { expect, test } from 'vitest'
import { carryOver } from './carry-over.ts'
import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import { DeviceClock, isAhead, WaitingValues } from './device-clock.ts'
import { replayFromRing } from './late.ts'
import { compiledOf, replayedOf, type Row, textOfChange } from './rule-testing.ts'
import { newInstance } from './state.ts'
import { step } from './step.ts'

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Value that arrives: server's time and the device's own, in ms, and the value. */
type Arrival = readonly [at: number, t: number, v: unknown]

/** Device whose values are judged as they arrive, by its own clock; each look at the time is one of the server's. */
class Live {
  readonly rule: CompiledRule
  readonly changes: Change[] = []
  private readonly clock = new DeviceClock()
  private readonly ahead = new WaitingValues<Arrival>()
  private instance

  constructor(rule: CompiledRule) {
    this.rule = rule
    this.instance = newInstance(rule)
  }

  arrive(arrival: Arrival) {
    const [at, t, v] = arrival
    this.look(at)
    if (isAhead(t, at)) return this.ahead.add(t, arrival)
    return this.judge(at, t, v)
  }

  /** Runs what is due at a time of the server. */
  look(at: number) {
    for (const [, t, v] of this.ahead.take(at)) this.judge(at, t, v)
    const t = this.clock.at(at)
    if (t !== undefined) this.take(t, [])
  }

  /** Goes on with another rule. */
  change(rule: CompiledRule, at: number) {
    const t = this.clock.at(at) ?? at
    const { instance, changes } = carryOver({ before: this.rule, after: rule }, this.instance, t)
    const next = new Live(rule)
    Object.assign(next, { clock: this.clock, instance })
    next.changes.push(...this.changes, ...changes)
    return next
  }

  private judge(at: number, t: number, v: unknown) {
    this.clock.take(t, at)
    this.take(t, [[0, v]])
  }

  private take(t: number, values: [number, unknown][]) {
    const stepped = step(this.rule, this.instance, { t, values })
    if (!stepped.isLate) {
      this.instance = stepped.instance
      this.changes.push(...stepped.changes)
      return
    }
    const again = replayFromRing(this.rule, this.instance, { t, values })
    if (!again) throw new Error(`the value of ${t} is older than the ring`)
    this.instance = again.instance
    const before = this.changes.filter((one) => one.t <= again.since)
    this.changes.splice(0, this.changes.length, ...before, ...again.changes)
  }
}

const start = Date.UTC(2026, 10, 26, 3)
const told = (changes: readonly Change[], from = start) =>
  changes.map((change) => textOfChange({ ...change, t: change.t - from }))

/** Changes of a rule while values arrive, with a look at the time every second until `until` (s). */
function liveOf(
  rule: CompiledRule,
  arrivals: readonly (readonly [number, number, unknown])[],
  until: number,
) {
  const live = new Live(rule)
  const left = arrivals.map(([at, t, v]) => [start + at * second, start + t * second, v] as const)
  for (let at = start; at <= start + until * second; at += second) {
    while (left[0] && left[0][0] <= at) live.arrive(left.shift() ?? [0, 0, 0])
    live.look(at)
  }
  return told(live.changes)
}

const slow = { onDelayMs: 10 * second }
type Case = [
  title: string,
  rule: Record<string, unknown>,
  arrivals: Arrival[],
  until: number,
  expected: string[],
]
const cases: Case[] = [
  [
    'a clock that is an hour behind changes nothing but the time of the alarm',
    slow,
    [
      [0, -3_600, 240],
      [5, -3_595, 240],
      [14, -3_586, 200],
      [20, -3_580, 240],
    ],
    40,
    ['-3590 raise 3', '-3586 return', '-3570 raise 3'],
  ],
  [
    'a clock that is half a minute ahead changes nothing but the time of the alarm',
    slow,
    [
      [0, 30, 240],
      [14, 44, 200],
      [20, 50, 240],
    ],
    40,
    ['40 raise 3', '44 return', '60 raise 3'],
  ],
  [
    'values of a clock that is an hour ahead wait for their time, and are judged by it then',
    slow,
    [
      [0, 3_600, 240],
      [14, 3_614, 200],
      [20, 3_620, 240],
    ],
    3_640,
    ['3610 raise 3', '3614 return', '3630 raise 3'],
  ],
  [
    'a delay is not over before the time of the device, whatever the line needs',
    slow,
    [
      [0, 0, 200],
      [4, 1, 240],
      [12, 9, 200],
      [15, 12, 200],
    ],
    40,
    [],
  ],
  [
    'a gap ends no alarm, and a delay runs in it',
    slow,
    [
      [0, 0, 240],
      [3_600, 3_600, 200],
    ],
    3_601,
    ['10 raise 3', '3600 return'],
  ],
  [
    'a value from tomorrow waits for its time and is judged then',
    {},
    [
      [0, 0, 200],
      [1, 100, 240],
      [2, 2, 240],
      [3, 3, 200],
    ],
    101,
    ['2 raise 3', '3 return', '100 raise 3'],
  ],
  [
    'of two values of one time the later one counts',
    {},
    [
      [0, 0, 200],
      [1, 1, 240],
      [2, 1, 200],
      [3, 1, 250],
      [4, 4, 200],
    ],
    5,
    ['1 raise 3', '4 return'],
  ],
  [
    'no number is no value: the alarm stays as it was',
    {},
    [
      [0, 0, 240],
      [1, 1, NaN],
      [2, 2, Infinity],
      [3, 3, 200],
      [4, 4, NaN],
    ],
    5,
    ['0 raise 3', '3 return'],
  ],
]

test.each(cases)('%s', (...one) => {
  const [, given, arrivals, until, expected] = one
  const rule = compiledOf(given)
  expect(liveOf(rule, arrivals, until)).toEqual(expected)
  const times = new Map(arrivals.map(([, t, v]) => [t, v]))
  const rows = [...times].toSorted(([one], [other]) => one - other)
  // A clock that is ahead is further by this.
  expect(replayedOf(rule, rows as Row[], until + 60)).toEqual(expected)
})

test('a day that was buffered is judged by its own times, as it would have been live', () => {
  const rule = compiledOf({ ...slow, when: { path: 'temp', op: '>', value: 230, clear: 220 } })
  const values = Array.from({ length: 1_440 }, (_, n): [number, number] => {
    const v = n % 97 === 0 ? 240 : n % 97 === 40 ? 210 : 225
    return [n * 60, v]
  })
  const live = liveOf(
    rule,
    values.map(([t, v]) => [t, t, v]),
    86_400,
  )
  const buffered = liveOf(
    rule,
    values.map(([t, v]) => [86_400, t, v]),
    86_400,
  )
  expect(live).toHaveLength(30)
  expect(buffered).toEqual(live)
})

test('the clock of a device that sends a buffered day does not run behind afterwards', () => {
  const rule = compiledOf(slow)
  const arrivals: Arrival[] = [
    ...Array.from({ length: 100 }, (_, n): Arrival => [86_400, n * 864, 200]),
    ...Array.from({ length: 70 }, (_, n): Arrival => [86_401 + n, 86_401 + n, 240]),
  ]
  expect(liveOf(rule, arrivals, 86_480)).toEqual(['86411 raise 3'])
})

type Changed = [
  title: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  expected: string[],
]
const changed: Changed[] = [
  ['a longer delay', slow, { onDelayMs: 20 * second }, ['20 raise 3']],
  ['a shorter delay that is over already', slow, { onDelayMs: 2 * second }, ['5 raise 3']],
  [
    'a limit that the value does not reach',
    slow,
    { ...slow, when: { path: 'temp', op: '>', value: 250 } },
    [],
  ],
  [
    'a limit that the value is beyond too',
    slow,
    { ...slow, when: { path: 'temp', op: '>', value: 235 } },
    ['15 raise 3'],
  ],
  ['another severity', slow, { ...slow, levels: [{ severity: 6 }] }, ['10 raise 6']],
  ['a text alone', slow, { ...slow, texts: { en: 'Hot' } }, ['10 raise 3']],
]
test.each(changed)(
  'a rule that is changed while its delay runs, to %s',
  (_, before, after, expected) => {
    const live = new Live(compiledOf(before))
    live.arrive([start, start, 240])
    live.look(start + 5 * second)
    const next = live.change(compiledOf(after), start + 5 * second)
    for (let at = 5; at <= 30; at += 1) next.look(start + at * second)
    expect(told(next.changes)).toEqual(expected)
  },
)

const rome = 'Europe/Rome'
const nightly = (from: string, to: string) => ({
  schedule: { zone: rome, times: [{ days: [0, 1, 2, 3, 4, 5, 6], from, to }], exceptDates: [] },
})
/** Hours of UTC after the midnight of UTC of a day. */
const hoursOf = (date: string, changes: readonly string[]) =>
  changes.map((text) => {
    const [t = '', ...rest] = text.split(' ')
    return [(Number(t) * second - (Date.parse(`${date}T00:00Z`) - start)) / hour, ...rest].join(' ')
  })
type Day = [title: string, date: string, window: [from: string, to: string], expected: string[]]
const days: Day[] = [
  // Wall times in Rome: 01:00 UTC is 02:00 before the change of March, and 03:00 behind it.
  [
    'a window in the day of 23 hours',
    '2026-03-29',
    ['01:30', '04:00'],
    ['0.5 raise 3', '2 return'],
  ],
  [
    'a window that begins at a time that this day does not have',
    '2026-03-29',
    ['02:30', '04:00'],
    ['1 raise 3', '2 return'],
  ],
  [
    'a window that ends at a time that this day does not have',
    '2026-03-29',
    ['01:00', '02:30'],
    ['0 raise 3', '1 return'],
  ],
  [
    'a window in the day of 25 hours',
    '2026-10-25',
    ['01:30', '04:00'],
    ['-0.5 raise 3', '3 return'],
  ],
  [
    'a window that begins at a time that this day has twice',
    '2026-10-25',
    ['02:30', '04:00'],
    ['0.5 raise 3', '3 return'],
  ],
  [
    'a window that ends at a time that this day has twice',
    '2026-10-25',
    ['01:00', '02:30'],
    ['-1 raise 3', '0.5 return'],
  ],
]
test.each(days)('%s', (_, date, [from, to], expected) => {
  const rule = compiledOf(nightly(from, to))
  const midnight = (Date.parse(`${date}T00:00Z`) - start) / second
  const rows: Row[] = [[midnight - 3 * 3_600, 240]]
  const replayed = replayedOf(
    rule,
    rows.map(([t, v]) => [t + start / second, v]),
    (start + midnight * second + 12 * hour) / second,
  )
  expect(
    hoursOf(
      date,
      replayed.map((text) => shifted(text)),
    ),
  ).toEqual(expected)
})
const shifted = (text: string) => {
  const [t = '', ...rest] = text.split(' ')
  return [Number(t) - start / second, ...rest].join(' ')
}

test('a delay under way over the change of clocks is as long as on any other day', () => {
  const rule = compiledOf({ onDelayMs: 90 * minute, ...nightly('00:00', '24:00') })
  const t = Date.parse('2026-10-25T00:30Z') / second
  expect(replayedOf(rule, [[t, 240]], t + day / second)).toEqual([`${t + 90 * 60} raise 3`])
})
