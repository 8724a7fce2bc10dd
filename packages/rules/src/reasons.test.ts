import { expect, test } from 'vitest'
import { changesOf, compiledOf, replayedOf, type Row, textOfChange } from './rule-testing.ts'
import { replayFromRing } from './late.ts'
import { type Miss, Misses } from './misses.ts'
import { startReplay } from './replay.ts'
import { type Instance, isNormal, newInstance } from './state.ts'
import { step } from './step.ts'
import type { Change } from './change.ts'

const stopped = { when: { path: 'running', op: '==', value: false } }
const utc = (text: string) => Date.parse(`${text}Z`)

type Case = [title: string, rule: Record<string, unknown>, rows: Row[], expected: string[]]
const cases: Case[] = [
  [
    'unless: no raise, counted once, and announced when it ends',
    { unless: stopped },
    [
      [0, 100, false],
      [1, 240],
      [2, 250],
      [3, undefined, true],
      [4, 100],
    ],
    ['1 suppressed', '3 raise 3', '4 return'],
  ],
  [
    'unless: what returns meanwhile is not announced',
    { unless: stopped },
    [
      [0, 240, false],
      [1, 100],
      [2, 240],
      [3, 100],
      [4, undefined, true],
    ],
    ['0 suppressed', '2 suppressed'],
  ],
  [
    'unless: an open one is hidden and shown again',
    { unless: stopped },
    [
      [0, 240, true],
      [1, undefined, false],
      [2, undefined, true],
      [3, 100],
    ],
    ['0 raise 3', '1 hidden', '2 shown', '3 return'],
  ],
  [
    'unless: an open one returns while it is hidden',
    { unless: stopped },
    [
      [0, 240, true],
      [1, undefined, false],
      [2, 100],
      [3, undefined, true],
    ],
    ['0 raise 3', '1 hidden', '2 return'],
  ],
  [
    'unless has delays of its own',
    { unless: { ...stopped, onDelayMs: 5_000, offDelayMs: 10_000 } },
    [
      [0, 100, false],
      [4, 240],
      [20, undefined, true],
    ],
    ['4 raise 3', '5 hidden', '30 shown'],
  ],
  [
    'unless that is unknown changes nothing',
    { unless: stopped },
    [
      [0, 240],
      [1, 240, [false, 2]],
    ],
    ['0 raise 3'],
  ],
  [
    'unless another alarm of the device',
    { unless: { rule: 'connection' } },
    [
      [0, 100, true],
      [1, 240],
      [2, undefined, false],
    ],
    ['1 suppressed', '2 raise 3'],
  ],
  [
    'chatter: returns are held for a minute, with a counter',
    { chatter: { max: 2, withinMs: 600_000 } },
    [
      [0, 240],
      [1, 0],
      [2, 240],
      [3, 0],
      [4, 240],
      [5, 0],
      [6, 240],
      [7, 0],
      [50, 240],
      [51, 0],
    ],
    [
      '0 raise 3',
      '1 return',
      '2 raise 3',
      '3 return',
      '4 raise 3',
      '6 again 2',
      '50 again 3',
      '111 return',
    ],
  ],
  [
    'chatter is counted within its time only',
    { chatter: { max: 2, withinMs: 10_000 } },
    [
      [0, 240],
      [1, 0],
      [6, 240],
      [7, 0],
      [12, 240],
      [13, 0],
    ],
    ['0 raise 3', '1 return', '6 raise 3', '7 return', '12 raise 3', '13 return'],
  ],
  [
    'chatter that is off holds nothing',
    { chatter: { max: 0, withinMs: 10_000 } },
    [
      [0, 240],
      [0.1, 0],
      [0.2, 240],
      [0.3, 0],
      [0.4, 240],
      [0.5, 0],
    ],
    ['0 raise 3', '0.1 return', '0.2 raise 3', '0.3 return', '0.4 raise 3', '0.5 return'],
  ],
  [
    'silence is judged by arrival',
    { kind: 'silence', when: { path: 'temp', forMs: 60_000 } },
    [
      [0, 1],
      [59, 1],
      [200, 1],
    ],
    ['119 raise 3', '200 return', '260 raise 3'],
  ],
  [
    'silence without any arrival raises nothing',
    { kind: 'silence', when: { forMs: 60_000 } },
    [],
    [],
  ],
  [
    'a connection is lost and comes back',
    { kind: 'connection', when: {}, onDelayMs: 30_000 },
    [
      [0, true],
      [10, false],
      [20, true],
      [30, false],
      [100, true],
    ],
    ['60 raise 3', '100 return'],
  ],
  [
    'a connection that shall be off',
    { kind: 'connection', when: { source: 'VPN', status: 'ON' } },
    [
      [0, false],
      [10, true],
    ],
    ['10 raise 3'],
  ],
]

test.each(cases)('%s', (_, given, rows, expected) => {
  const rule = compiledOf(given)
  expect(changesOf(rule, rows)).toEqual(expected)
  expect(replayedOf(rule, rows)).toEqual(expected)
})

test('a platform that was away raises no silence of its own, and judges it afterwards', () => {
  const rule = compiledOf({ kind: 'silence', when: { forMs: 60_000 } })
  const changes: Change[] = []
  let instance: Instance = newInstance(rule)
  const take = (input: Parameters<typeof step>[2]) => {
    const stepped = step(rule, instance, input)
    instance = stepped.instance
    changes.push(...stepped.changes)
  }
  take({ t: 0, values: [[0, 1]] })
  take({ t: 3_600_000, values: [], awaySince: 30_000 })
  take({ t: 3_659_999, values: [] })
  expect(changes).toEqual([])
  take({ t: 3_660_000, values: [] })
  expect(changes.map(textOfChange)).toEqual(['3660 raise 3'])
  // Silence that began before is true, and stays.
  take({ t: 7_200_000, values: [], awaySince: 3_700_000 })
  expect(instance.core.open?.t).toBe(3_660_000)
})

const shift = {
  zone: 'Europe/Rome',
  times: [{ days: [0, 1, 2, 3, 4, 5, 6], from: '06:00', to: '22:00' }],
}
const rowsFrom = (start: number, rows: Row[]): Row[] =>
  rows.map(([t, ...v]) => [start / 1_000 + t, ...v])
const relative = (start: number, changes: readonly Change[]) =>
  changes.map((change) => textOfChange({ ...change, t: change.t - start }))

/** Changes of a rule with a schedule, in seconds from a start, until a day later. */
function scheduled(given: Record<string, unknown>, start: number, rows: Row[], zone?: string) {
  const run = startReplay(compiledOf(given, zone))
  for (const [t, ...v] of rowsFrom(start, rows)) {
    run.takeInput({ t: t * 1_000, values: v.map((value, input) => [input, value] as const) })
  }
  return relative(start, run.finish(start + 86_400_000).changes)
}
const hour = 3_600

test('a condition that holds raises when the window opens, its delay from there', () => {
  const start = utc('2026-11-25T23:00') // midnight in Rome
  const given = { schedule: shift, onDelayMs: 60_000 }
  expect(
    scheduled(given, start, [
      [0, 240],
      [5 * hour, 100],
      [5.5 * hour, 240],
    ]),
  ).toEqual([`${6 * hour + 60} raise 3`, `${22 * hour} return`])
})

test.each([
  ['2026-03-28T23:00', 5, 21],
  ['2026-10-24T22:00', 7, 23],
])('days of 23 and 25 hours: %s', (day, opens, closes) => {
  expect(scheduled({ schedule: shift }, utc(day), [[0, 240]])).toEqual([
    `${opens * hour} raise 3`,
    `${closes * hour} return`,
  ])
})

test('a schedule follows the zone of the device', () => {
  const given = { schedule: { ...shift, zone: 'device' } }
  const start = utc('2026-11-25T18:15') // midnight in Kathmandu
  expect(scheduled(given, start, [[0, 240]], 'Asia/Kathmandu')[0]).toBe(`${6 * hour} raise 3`)
})

test('a delay that is broken is a near miss, the longest part first', () => {
  const misses = new Misses(2)
  const rule = compiledOf({
    when: { path: 'a', op: '>', value: 5, forMs: 10_000 },
    onDelayMs: 20_000,
  })
  const run = startReplay(rule, { misses })
  const rows: [number, number][] = [
    [0, 9],
    [9_000, 1],
    [20_000, 9],
    [45_000, 1],
    [50_000, 9],
    [51_000, 1],
    [60_000, 9],
  ]
  for (const [t, v] of rows) run.takeInput({ t, values: [[0, v]] })
  expect(run.finish(1_000_000).changes.map(textOfChange)).toEqual(['90 raise 3'])
  const nearest: readonly Miss[] = misses.nearest
  expect(nearest).toEqual([
    { t: 0, heldMs: 9_000, ofMs: 10_000 },
    { t: 30_000, heldMs: 15_000, ofMs: 20_000 },
  ])
})

test('values of an hour that a device kept take back what its clock alone raised', () => {
  const rule = compiledOf({ onDelayMs: 60_000 })
  let instance = newInstance(rule)
  instance = step(rule, instance, { t: 0, values: [[0, 240]] }).instance
  const raised = step(rule, instance, { t: 3_600_000, values: [] })
  expect(raised.changes.map(textOfChange)).toEqual(['60 raise 3'])
  instance = raised.instance
  expect(step(rule, instance, { t: 30_000, values: [[0, 100]] }).isLate).toBe(true)
  const replayed = replayFromRing(rule, instance, { t: 30_000, values: [[0, 100]] })
  expect(replayed).toMatchObject({ changes: [], open: undefined })
  // The next values are judged as if the clock had never run.
  const next = step(rule, replayed!.instance, { t: 61_000, values: [[0, 240]] })
  expect([next.isLate, next.instance.due]).toEqual([false, 121_000])
})

test('the due time of a state is its next timer, and a normal state is known', () => {
  const rule = compiledOf({ onDelayMs: 10_000, offDelayMs: 5_000 })
  const at = (instance: Instance, t: number, v: number) =>
    step(rule, instance, { t, values: [[0, v]] }).instance
  let instance = newInstance(rule)
  expect([instance.due, isNormal(instance)]).toEqual([null, true])
  instance = at(instance, 0, 240)
  expect([instance.due, isNormal(instance)]).toEqual([10_000, false])
  instance = at(instance, 11_000, 240)
  expect([instance.due, isNormal(instance)]).toEqual([null, false])
  instance = at(instance, 12_000, 100)
  expect([instance.due, isNormal(instance)]).toEqual([17_000, false])
  instance = step(rule, instance, { t: 17_000, values: [] }).instance
  expect([instance.due, isNormal(instance), instance.at]).toEqual([null, true, 17_000])
})

test('the words of a raise are its value, its limit and the paths that texts name', () => {
  const rule = compiledOf({
    when: { path: 'Oven:1/temp', op: '>' },
    levels: [{ severity: 3, value: 215 }],
    texts: { en: '{device}: {value|1} over {limit} at {Oven:1/speed|1}', de: '{Oven:1/door}' },
  })
  const inputs = rule.inputs.map((input) => ('path' in input ? input.path : undefined))
  expect(inputs).toEqual(['temp', 'speed', 'door'])
  let instance = newInstance(rule)
  instance = step(rule, instance, { t: 5, values: [[1, 7.25]] }).instance
  const { changes } = step(rule, instance, { t: 6, values: [[0, 220]] })
  expect(changes).toMatchObject([
    { kind: 'raise', words: { value: 220, limit: 215, values: { speed: 7.25, door: null } } },
  ])
})
