import type { Series, TelemetryStore } from '@longreach/telemetry/store'
import { expect, test } from 'vitest'
import { configurationText } from '../platform-testing.ts'
import { TagQuestion } from './tag-contract.ts'
import { estimateReadValues } from './costly-queries.ts'
import { planOf } from './query-plan.ts'
import type { Source } from './query-source.ts'

const never = new AbortController().signal
const costly = 1_000_000

/** A store that has so many values of each path, and is only ever asked how many. */
const counted = (paths: number, values: number) => {
  const all = Array.from({ length: paths }, (_, id) => ({
    id,
    org: 'exor',
    device: 'd',
    path: `Probe:1/p${id}`,
    type: 'double' as const,
  })) as unknown as Series[]
  const one = { start: 0, count: values, min: 0, max: 0, sum: 0, avg: 0, first: 0, last: 0 }
  return {
    findSeries: async () => all,
    buckets: async (ids: number[]) => ids.map(() => [{ ...one, lastT: 0 }]),
  } as unknown as TelemetryStore
}
const everything = () => true
const sources = [
  {
    device: { id: 'd', org: 'exor', byPath: new Map(), configurationText: configurationText({}) },
    modelPath: '**',
    access: { last: everything, past: everything },
  },
] as unknown as Source[]
const planFor = (asked: object) => {
  const planned = planOf(TagQuestion.parse({ since: 0, to: costly, ...asked }), costly)
  if (!planned.ok) throw new Error(planned.message)
  return planned.plan
}
const estimated = (store: TelemetryStore, asked: object) =>
  estimateReadValues(store, sources, planFor(asked), never)

test('values are counted before they are read, and too many are refused with a way out', async () => {
  expect(await estimated(counted(10, 50_000), {})).toBe(500_000)
  expect(await estimated(counted(10, 50_000), { limit: 100 })).toBe(1_000)
  expect(await estimated(counted(1_000, 50_000), { limit: 1_000 })).toBe(1_000_000)
  expect(await estimated(counted(10, 50_000), { action: 'RESOLVE' })).toBe(0)
  const refused = { status: 422, code: 'platform.too_large', details: { field: 'sources' } }
  await expect(estimated(counted(1_000, 50_000), {})).rejects.toMatchObject(refused)
  const steps = { aggregation: { type: 'max', sampling: { size: 10, unit: 'milliseconds' } } }
  await expect(estimated(counted(1_000, 1_000_000), steps)).rejects.toMatchObject(refused)
})
