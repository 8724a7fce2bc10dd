import { compileRule } from '@longreach/rules/compile'
import { replay } from '@longreach/rules/replay'
import { Rule } from '@longreach/rules/rule'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { connected, expectChanges, pairedDevice, ruleFor, saveRule } from './rule-testing.ts'

let first: TestPlatform
let second: TestPlatform
const anotherProcess = () => testPlatform({ graceMs: 50 }, undefined, undefined, first)
beforeAll(async () => {
  first = await testPlatform({ graceMs: 50 })
  second = await anotherProcess()
})
afterAll(async () => {
  await second.close()
  await first.close()
})

type Paired = Awaited<ReturnType<typeof pairedDevice>>

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
type Value = Pick<typeof value extends fc.Arbitrary<infer T> ? T : never, 't' | 'name' | 'v'>

/** Changes that a replay of the values in order makes. */
function replayedOf(rule: Record<string, unknown>, values: readonly Value[]) {
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

/** Sends values in the order of their arrival, with moves between two processes of which the second is new at times. */
async function sendAll(paired: Paired, arriving: readonly Value[], moves: readonly number[]) {
  let isFirst = true
  let line = await connected(first, paired)
  const move = async (place: number) => {
    await line.client.endAsync(true)
    if (isFirst && place % 2 === 0) {
      await second.close()
      second = await anotherProcess()
    }
    isFirst = !isFirst
    line = await connected(isFirst ? first : second, paired)
  }
  for (const [place, { v, t, name }] of arriving.entries()) {
    if (moves.includes(place)) await move(place)
    await line.send(v, t, name)
  }
  return line
}

test('values in any order, with restarts and moves between processes, end as a replay of them in order', async () => {
  const runs = fc.sample(device, { numRuns: 16, seed: 7 })
  for (const { kind, values, moves } of runs) {
    const start = Date.now() - 300_000
    const paired = await pairedDevice(first)
    const rule = ruleFor(paired.id, kinds[kind])
    await saveRule(first, rule)
    const arriving = values
      .map((one) => ({ ...one, t: start + one.t }))
      .toSorted((one, other) => one.t + one.lag - (other.t + other.lag))
    const { client } = await sendAll(paired, arriving, moves)
    await expectChanges(first, paired.id, replayedOf(rule, arriving))
    await client.endAsync(true)
  }
})
