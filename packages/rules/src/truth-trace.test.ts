import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePolicy } from './compile-policy.ts'
import { readPolicy } from './policy.ts'
import { startReplay } from './replay.ts'
import { type TruthSpan, TruthTrace } from './truth-trace.ts'

const band = (path: string, more: object = {}) => ({
  type: 'ANALOG_BAND',
  modelPathMatcher: `P:1/${path}`,
  min: 10,
  ...more,
})
const both = (...innerPolicies: object[]) => ({ type: 'AND_OPERATOR', innerPolicies })

/** Trace of a policy over values of `a` and `b` at times in seconds, in a range of seconds. */
function traced(
  raw: object,
  rows: readonly [t: number, a?: number | undefined, b?: number][],
  [from, to]: [number, number],
) {
  const read = readPolicy(raw)
  if (!read.ok) throw new Error(JSON.stringify(read.issues))
  const [compiled] = compilePolicy(read.policy, ['P:1/a', 'P:1/b'])
  if (!compiled) throw new Error('the policy has a part')
  const trace = new TruthTrace({ from: from * 1_000, to: to * 1_000 })
  const run = startReplay(compiled.rule, { trace })
  const values = rows.flatMap(([t, a, b]) =>
    compiled.rule.inputs.flatMap((input, index) => {
      const v = 'path' in input && input.path === 'b' ? b : a
      return v === undefined ? [] : [{ t: t * 1_000, input: index, v }]
    }),
  )
  run.take({
    t: values.map(({ t }) => t),
    input: values.map(({ input }) => input),
    v: values.map(({ v }) => v),
  })
  run.finish(to * 1_000)
  return trace.finish(to * 1_000)
}
const text = (spans: readonly TruthSpan[] = []) =>
  spans.map(({ from, to, state }) => `${from / 1_000}-${to / 1_000} ${state}`).join(', ')

test('[R-23] a condition is unknown, false, waits for its time, and holds, each since a time', () => {
  const { leaves, oneShort } = traced(
    band('a', { time: 5_000 }),
    [
      [10, 1],
      [20, 12],
      [40, 3],
      [60, 15],
      [63, 2],
    ],
    [0, 100],
  )
  expect(text(leaves[0])).toBe(
    '0-10 unknown, 10-20 no, 20-25 waits, 25-40 yes, 40-60 no, 60-63 waits, 63-100 no',
  )
  expect(oneShort).toEqual([])
})

test('what was before the range shows only in its state', () => {
  const { leaves } = traced(
    band('a'),
    [
      [-50, 1],
      [-20, 12],
      [40, 3],
    ],
    [0, 100],
  )
  expect(text(leaves[0])).toBe('0-40 yes, 40-100 no')
})

test('changes that follow each other too closely become one span of several', () => {
  const rows = Array.from({ length: 40 }, (_, n): [number, number] => [
    500 + n,
    n % 2 === 0 ? 12 : 1,
  ])
  const { leaves } = traced(band('a'), [[0, 1], ...rows], [0, 1_000])
  expect(text(leaves[0])).toBe('0-500 no, 500-539 several, 539-1000 no')
})

test('[R-23] the only missing part of a group is told, unless the group fires then', () => {
  const { oneShort } = traced(
    both(band('a'), band('b')),
    [
      [0, 1, 1],
      [10, 12],
      [20, 1],
      [30, undefined, 15],
      [40, 20],
      [50, 1, 1],
    ],
    [0, 100],
  )
  expect(oneShort.map(({ from, to, leaves }) => [from / 1_000, to / 1_000, leaves])).toEqual([
    [10, 20, [1]],
  ])
})

test('a change of a moment keeps its time', () => {
  const changed = { type: 'ON_CHANGED', modelPathMatcher: 'P:1/a' }
  const { leaves } = traced(
    changed,
    [
      [10, 1],
      [50, 2],
    ],
    [0, 100],
  )
  expect(text(leaves[0])).toContain('50-50 yes, 50-100 no')
})

test('spans join without a gap and stay few, whatever the values are', () => {
  const row = fc.tuple(
    fc.integer({ min: 0, max: 999 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 20 }),
  )
  fc.assert(
    fc.property(fc.array(row, { maxLength: 300 }), (given) => {
      const rows = given.toSorted(([one], [other]) => one - other)
      const raw = both(band('a', { time: 3_000 }), band('b'))
      const { leaves, oneShort } = traced(raw, rows, [100, 900])
      for (const spans of leaves) {
        expect(spans.length).toBeLessThanOrEqual(400)
        expect(spans.every(({ to }, at) => to === (spans[at + 1]?.from ?? 900_000))).toBe(true)
        expect(spans[0]?.from ?? 100_000).toBe(100_000)
      }
      expect(oneShort.length).toBeLessThanOrEqual(20)
    }),
    { seed: 5, numRuns: 200 },
  )
})
