import { compileRule } from '@longreach/rules/compile'
import { replay } from '@longreach/rules/replay'
import { Rule } from '@longreach/rules/rule'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { changesOf, connected, pairedDevice, ruleFor, saveRule } from './rule-testing.ts'

let first: TestPlatform
beforeAll(async () => {
  first = await testPlatform({ graceMs: 50 })
})
afterAll(() => first.close())

const temperature = 'Probe:1/temperature'
const kinds: Record<string, unknown>[] = [
  {},
  { onDelayMs: 1_500, offDelayMs: 700 },
  { when: { path: temperature, op: '>', value: 50, clear: 30 } },
  { when: { path: temperature, op: '>', value: 50, forMs: 900 }, chatter: { max: 0, withinMs: 0 } },
  {
    when: { path: temperature, op: '>' },
    levels: [
      { severity: 3, value: 40, clear: 20 },
      { severity: 6, value: 70 },
    ],
  },
  {
    when: {
      all: [
        { path: temperature, op: '>', value: 50 },
        { path: 'Probe:1/door', op: '<', value: 50 },
      ],
    },
    offDelayMs: 1_200,
  },
]
const value = fc.record({
  t: fc.integer({ min: 0, max: 120 }).map((step) => step * 500),
  name: fc.constantFrom('temperature', 'temperature', 'door'),
  v: fc.integer({ min: 0, max: 9 }).map((tenth) => tenth * 10),
  /** Delay of its way, mostly short. */
  lag: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 4_000 }),
    fc.integer({ min: 0, max: 60_000 }),
  ),
})
const device = fc.record({
  kind: fc.nat({ max: kinds.length - 1 }),
  values: fc.uniqueArray(value, {
    minLength: 5,
    maxLength: 40,
    selector: ({ t, name }) => `${t} ${name}`,
  }),
  /** Places in the order of arrival before which the device goes to another process. */
  moves: fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 3 }),
})
type Run = typeof device extends fc.Arbitrary<infer T> ? T : never

/** Changes that a replay of the values in order makes. */
function replayedOf(rule: Record<string, unknown>, values: readonly Run['values'][number][]) {
  const compiled = compileRule(Rule.parse(rule))
  const inputs = compiled.inputs.map((one) => ('path' in one ? one.path : undefined))
  const sorted = values
    .filter(({ name }) => inputs.includes(name))
    .toSorted((one, other) => one.t - other.t)
  const page = {
    t: sorted.map(({ t }) => t),
    input: sorted.map(({ name }) => inputs.indexOf(name)),
    v: sorted.map(({ v }) => v),
  }
  return replay(compiled, [page], Date.now()).map(({ kind, t }) => `${kind} ${t}`)
}

test('values in any order, with restarts and moves between processes, end as a replay of them in order', async () => {
  const runs = fc.sample(device, { numRuns: 16, seed: 7 })
  let second = await testPlatform({ graceMs: 50 }, undefined, undefined, first)
  try {
    for (const { kind, values, moves } of runs) {
      const start = Date.now() - 300_000
      const paired = await pairedDevice(first)
      const rule = ruleFor(paired.id, kinds[kind])
      await saveRule(first, rule)
      const arriving = values
        .map((one) => ({ ...one, t: start + one.t }))
        .toSorted((one, other) => one.t + one.lag - (other.t + other.lag))
      let isFirst = true
      let line = await connected(first, paired)
      for (const [place, { v, t, name }] of arriving.entries()) {
        if (moves.includes(place)) {
          await line.client.endAsync(true)
          // Every second time the other process is a new one.
          if (isFirst && place % 2 === 0) {
            await second.close()
            second = await testPlatform({ graceMs: 50 }, undefined, undefined, first)
          }
          isFirst = !isFirst
          line = await connected(isFirst ? first : second, paired)
        }
        await line.send(v, t, name)
      }
      await expect
        .poll(() => changesOf(first, paired.id), { timeout: 30_000 })
        .toEqual(replayedOf(rule, arriving))
      await line.client.endAsync(true)
    }
  } finally {
    await second.close()
  }
})
