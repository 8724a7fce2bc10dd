import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls } from '../api/calls-testing.ts'
import { fetchBefore } from './held.ts'
import { broken, fetchFigure, fetchHistory, fetchSparks, type Source } from './history.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const call = 'POST /svc/platform/api/v1/organizations/nordwerk/devices/tags/query'
type Body = {
  sources: { deviceId: string; modelPath: string }[]
  since?: number
  to: number
  aggregation?: { type: string; sampling: object }
  quality?: boolean
  downsampling?: { size: number }
  timezone?: string
}
const tags = (source: Body['sources'][number], data: unknown[][], type = 'double') => ({
  ...source,
  types: ['integer', type],
  header: ['timestamp', 'value'],
  data,
})
/** A server that answers each source of a question with these rows. */
const platform = (rows: (source: Body['sources'][number], body: Body) => unknown[][]) =>
  answerCalls({
    [call]: ({ body }) => {
      const question = body as Body
      return question.sources.map((source) => tags(source, rows(source, question)))
    },
  })
const air: Source = { device: 'oven', path: 'Oven:1/air', type: 'double' }
const cover: Source = { device: 'oven', path: 'Oven:1/cover', type: 'boolean' }
const state: Source = { device: 'oven', path: 'Oven:1/state', type: 'string' }
const window = { from: 60_000, to: 180_000 }

test('stored points are one call, with gaps for what is no number', async () => {
  const asked = platform(() => [
    [60_000, 5],
    [70_000, null],
    [80_000, 'x'],
    [90_000, true],
  ])
  const history = await fetchHistory('nordwerk', [air], { window, resolution: 'raw', zone: 'UTC' })
  expect(history.get('oven/Oven:1/air')).toEqual({
    times: [60_000, 70_000, 80_000, 90_000],
    values: [5, null, null, 1],
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]?.body).toMatchObject({ since: 60_000, to: 180_000, quality: true })
})

test('in buckets numbers have a band, switches their last state, texts their steps', async () => {
  const asked = platform(({ modelPath }, { aggregation }) => {
    if (modelPath.endsWith('state'))
      return [
        [60_000, 'Idle'],
        [90_000, 'Run'],
        [95_000, 'Idle'],
      ]
    if (modelPath.endsWith('cover')) return [[60_000, true]]
    const edge = { average: 5, min: 4, max: 7 }[aggregation?.type ?? ''] ?? null
    return [[60_000, edge]]
  })
  const history = await fetchHistory('nordwerk', [air, cover, state], {
    window,
    resolution: 60_000,
    zone: 'UTC',
  })
  expect(history.get('oven/Oven:1/air')).toEqual({
    times: [60_000],
    values: [5],
    low: [4],
    high: [7],
  })
  expect(history.get('oven/Oven:1/cover')).toEqual({ times: [60_000], values: [1] })
  expect(history.get('oven/Oven:1/state')).toEqual({
    times: [60_000, 90_000, 95_000],
    values: [0, 1, 0],
    states: ['Idle', 'Run'],
  })
  const figures = asked.map(({ body }) => (body as Body).aggregation?.type)
  expect(figures.toSorted()).toEqual(['average', 'last', 'max', 'min', undefined])
})

test('another figure than the mean has no band, and counts switches too', async () => {
  const asked = platform(() => [[60_000, 3]])
  const history = await fetchHistory('nordwerk', [air, cover], {
    window,
    resolution: 60_000,
    figure: 'count',
    zone: 'UTC',
  })
  expect(history.get('oven/Oven:1/air')).toEqual({ times: [60_000], values: [3] })
  expect(asked.map(({ body }) => (body as Body).aggregation?.type)).toEqual(['count', 'count'])
})

test('the first bucket begins at its own start, days at midnight of the zone', async () => {
  const asked = platform(() => [])
  const day = 86_400_000
  const from = Date.parse('2026-07-10T09:30:00Z')
  await fetchHistory('nordwerk', [air], {
    window: { from, to: from + 3 * day },
    resolution: day,
    band: false,
    zone: 'Europe/Rome',
  })
  expect(asked[0]?.body).toMatchObject({
    since: Date.parse('2026-07-09T22:00:00Z'),
    timezone: 'Europe/Rome',
    aggregation: { type: 'average', sampling: { size: 1, unit: 'days' } },
  })
})

test('only a line with a value that is not good tells of its quality', async () => {
  platform(({ modelPath }) =>
    modelPath.endsWith('air')
      ? [
          [60_000, 5, 0],
          [70_000, 6, 2],
        ]
      : [[60_000, true, 0]],
  )
  const history = await fetchHistory('nordwerk', [air, cover], {
    window,
    resolution: 'raw',
    zone: 'UTC',
  })
  expect(history.get('oven/Oven:1/air')).toMatchObject({ grades: [0, 2] })
  expect(history.get('oven/Oven:1/cover')).not.toHaveProperty('grades')
})

test('a source that the server says nothing of is an empty line', async () => {
  answerCalls({ [call]: () => [] })
  const history = await fetchHistory('nordwerk', [air, state], {
    window,
    resolution: 'raw',
    zone: 'UTC',
  })
  expect(history.get('oven/Oven:1/air')).toEqual({ times: [], values: [] })
  expect(history.get('oven/Oven:1/state')).toEqual({ times: [], values: [], states: [] })
})

test('one figure of a whole window is left out where nothing is stored', async () => {
  const asked = platform(({ modelPath }) => (modelPath.endsWith('air') ? [[60_000, 7]] : []))
  const figures = await fetchFigure('nordwerk', [air, cover], { window, figure: 'max' })
  expect([...figures]).toEqual([['oven/Oven:1/air', 7]])
  expect(asked[0]?.body).toMatchObject({
    aggregation: { type: 'max', sampling: { size: 120_000, unit: 'milliseconds' } },
  })
})

test('a small line goes on over steps without a value', async () => {
  platform(() => [
    [1, 5],
    [2, null],
    [3, 6],
  ])
  const { signal } = new AbortController()
  const sparks = await fetchSparks(
    'nordwerk',
    { device: 'oven', paths: ['Oven:1/air'], since: 0 },
    signal,
  )
  expect([...sparks]).toEqual([['Oven:1/air', { times: [1, 3], values: [5, 6] }]])
})

test('the newest value before a time is one row of each source, and none where it is a gap', async () => {
  const asked = platform(({ modelPath }) =>
    modelPath.endsWith('air') ? [[50_000, 4]] : [[40_000, null]],
  )
  const before = await fetchBefore('nordwerk', [air, cover], 60_000)
  expect([...before]).toEqual([['oven/Oven:1/air', { at: 50_000, value: 4 }]])
  expect(asked[0]?.body).toMatchObject({ to: 60_000, limit: 1 })
})

test('a line is broken where its device was away; a switch only there', () => {
  const line = { times: [0, 10_000], values: [1, 1] }
  const away = [{ from: 2_000, to: 8_000 }]
  expect(broken(line, { ...air, everyMs: 1_000 }, 'raw', []).values).toEqual([1, null, 1])
  expect(broken(line, { ...cover, everyMs: 1_000 }, 'raw', [])).toBe(line)
  expect(broken(line, cover, 'raw', away).values).toEqual([1, null, 1])
})
