import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls } from '../../parts/api/calls-testing.ts'
import { fetchFormula } from './formula-history.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const call = 'POST /svc/platform/api/v1/organizations/nordwerk/devices/tags/query'
const formula = {
  text: 'A * 2',
  inputs: [{ name: 'A', source: { device: 'oven', path: 'Oven:1/air', type: 'double' } }],
}
const { signal } = new AbortController()
const window = { from: 60_000, to: 120_000 }
const results = (type: string, data: unknown[][]) => [
  { deviceId: '', modelPath: '', types: ['integer', type], header: [], data },
]
const asked = (more: Partial<Parameters<typeof fetchFormula>[2]> = {}) =>
  fetchFormula(
    'nordwerk',
    formula,
    { window, resolution: 'raw', figure: 'average', zone: 'UTC', ...more },
    signal,
  )

test('a formula is computed at every time of its inputs, which go on with their last value', async () => {
  const calls = answerCalls({
    [call]: () =>
      results('double', [
        [60_000, 4],
        [70_000, null],
      ]),
  })
  expect(await asked()).toEqual({ times: [60_000, 70_000], values: [4, null], type: 'double' })
  expect(calls[0]?.body).toMatchObject({
    sources: [{ deviceId: 'oven', modelPath: 'Oven:1/air', tagName: 'A' }],
    since: 60_000,
    to: 120_000,
    functions: { formula: { map: 'A * 2' } },
    alignment: {
      missingValues: { fillPolicy: 'EXTEND_LAST_VALUE', paddingPolicy: 'SEARCH_OR_NULL' },
    },
  })
})

test('in buckets the inputs are averaged, or have the figure that was chosen', async () => {
  const calls = answerCalls({ [call]: () => results('double', []) })
  await asked({ resolution: 30_000 })
  await asked({ resolution: 30_000, figure: 'max' })
  const alignments = calls.map(({ body }) => (body as { alignment: object }).alignment)
  expect(alignments[0]).toMatchObject({ sampling: { size: 30_000, unit: 'milliseconds' } })
  expect(alignments[0]).not.toHaveProperty('aggregation')
  expect(alignments[1]).toMatchObject({ aggregation: 'max' })
})

test('days are those of the zone', async () => {
  const calls = answerCalls({ [call]: () => results('double', []) })
  await asked({ resolution: 86_400_000, zone: 'Europe/Rome' })
  expect(calls[0]?.body).toMatchObject({
    timezone: 'Europe/Rome',
    alignment: { sampling: { size: 1, unit: 'days' } },
  })
})

test('nothing is computed for the future, where inputs would seem to go on', async () => {
  vi.useFakeTimers({ now: 90_000, toFake: ['Date'] })
  const calls = answerCalls({ [call]: () => results('double', []) })
  await asked()
  expect(calls[0]?.body).toMatchObject({ to: 90_001 })
})

test('a formula of texts is a line of states', async () => {
  answerCalls({
    [call]: () =>
      results('string', [
        [1, 'on'],
        [2, 'off'],
        [3, 'on'],
      ]),
  })
  expect(await asked()).toEqual({
    times: [1, 2, 3],
    values: [0, 1, 0],
    states: ['on', 'off'],
    type: 'string',
  })
})

test('an answer without a line is a line without points', async () => {
  answerCalls({ [call]: () => [] })
  expect(await asked()).toEqual({ times: [], values: [], type: 'double' })
})
