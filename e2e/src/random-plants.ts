import { compileRule } from '@longreach/rules/compile'
import { occurrencesOf } from '@longreach/rules/occurrences'
import { replay } from '@longreach/rules/replay'
import { Rule } from '@longreach/rules/rule'
import fc from 'fast-check'

// Random devices with a rule each, their values in any order of arrival, their moves between two servers, and the
// kills of these servers meanwhile; and what a replay of the values in order says of it.

const double = 'Press:1/double'
const integer = 'Press:1/integer'
const noChatter = { chatter: { max: 0, withinMs: 0 } }
const above = (more: Record<string, unknown> = {}) => ({
  when: { path: double, op: '>', value: 50, ...more },
})

/** Fields of rules, of which each device has one. */
const kinds: Record<string, unknown>[] = [
  { ...above(), ...noChatter },
  { ...above({ clear: 30 }), onDelayMs: 1_500, offDelayMs: 700, ...noChatter },
  { ...above({ forMs: 900 }), ...noChatter },
  { ...above(), chatter: { max: 2, withinMs: 5_000 } },
  {
    when: { path: double, op: '>' },
    levels: [
      { severity: 3, value: 40, clear: 20 },
      { severity: 6, value: 70 },
    ],
    ...noChatter,
  },
  {
    when: { all: [above().when, { path: integer, op: '<', value: 50 }] },
    offDelayMs: 1_200,
    ...noChatter,
  },
  { when: { any: [above().when, { path: integer, op: '>', value: 80, forMs: 2_000 }] } },
]

/** Time after the start, in steps of half a second over a minute. */
const halfSeconds = fc.integer({ min: 0, max: 120 }).map((step) => step * 500)
const amount = fc.integer({ min: 0, max: 9 }).map((tenth) => tenth * 10)
const value = fc.record({
  t: halfSeconds,
  tag: fc.constantFrom<'double' | 'integer'>('double', 'double', 'integer'),
  v: amount,
  /** Delay of its way, mostly short: it decides the order of arrival. */
  lag: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 4_000 }),
    fc.integer({ min: 0, max: 60_000 }),
  ),
})

const move = fc.record({
  /** Place in the order of arrival before which it moves. */
  place: fc.nat({ max: 40 }),
  /** It ends its connection when all is acknowledged, or with values under way, or the other server takes it over. */
  kind: fc.constantFrom<'inOrder' | 'cut' | 'taken'>('inOrder', 'cut', 'taken'),
  afterMs: fc.nat({ max: 30 }),
})

const device = fc.record({
  kind: fc.nat({ max: kinds.length - 1 }),
  values: fc.uniqueArray(value, {
    minLength: 12,
    maxLength: 40,
    selector: ({ t, tag }) => `${t} ${tag}`,
  }),
  /** Two minutes later, so that all delays are over by then. */
  last: amount,
  /** Number of values that are sent before the first of them is acknowledged. */
  window: fc.integer({ min: 1, max: 6 }),
  moves: fc.uniqueArray(move, { maxLength: 4, selector: ({ place }) => place }),
})

const kill = fc.record({
  victim: fc.constantFrom<'first' | 'second' | 'both'>(
    'first',
    'first',
    'second',
    'second',
    'both',
  ),
  /** Part of the values of the phase that is acknowledged before, in hundredths. */
  after: fc.nat({ max: 90 }),
  delayMs: fc.nat({ max: 150 }),
})

/** Devices and kills of one run; each kill is in a phase of its own, of which all have the same part of the values. */
export const plant = fc.record({
  devices: fc.array(device, { minLength: 4, maxLength: 6 }),
  kills: fc.array(kill, { minLength: 2, maxLength: 3 }),
})
export type PlannedPlant = typeof plant extends fc.Arbitrary<infer T> ? T : never
export type PlannedDevice = PlannedPlant['devices'][number]
export type PlannedKill = PlannedPlant['kills'][number]

/** Fields of the rule of a device. */
export const ruleOf = ({ kind }: PlannedDevice, deviceId: string) => ({
  name: `Random ${deviceId}`,
  scope: { deviceId },
  kind: 'condition',
  levels: [{ severity: 5 }],
  ack: false,
  ...kinds[kind],
})

export type Sent = { tag: 'double' | 'integer'; v: number; t: number }

/** Values of a device in the order of their arrival, with their times. */
export function arriving({ values, last }: PlannedDevice, start: number): Sent[] {
  const inOrder = values.toSorted((one, other) => one.t + one.lag - (other.t + other.lag))
  const all = inOrder.map(({ tag, v, t }) => ({ tag, v, t: start + t }))
  return [...all, { tag: 'double', v: last, t: start + 180_000 }]
}

export type Found = {
  start: number
  end: number | null
  severity: number
  maxSeverity: number
  raises: number
}

/** Alarms that a replay of the values in order of time makes, until now. */
export function replayed(rule: Record<string, unknown>, sent: readonly Sent[]): Found[] {
  const compiled = compileRule(Rule.parse(rule))
  // An input names the path below its model.
  const paths = compiled.inputs.map((one) => ('path' in one ? one.path : undefined))
  const inputOf = ({ tag }: Sent) => paths.indexOf(tag)
  const sorted = sent.filter((one) => inputOf(one) !== -1).toSorted((one, other) => one.t - other.t)
  const page = {
    t: sorted.map(({ t }) => t),
    input: sorted.map(inputOf),
    v: sorted.map(({ v }) => v),
  }
  const found = occurrencesOf(replay(compiled, [page], Date.now()))
  return found.map(({ start, end, severity, maxSeverity, raises }) => ({
    start,
    end: end ?? null,
    severity,
    maxSeverity,
    raises,
  }))
}
