import { expect, test } from 'vitest'
import { apart, type Cluster, clusterOf, gridZoom, stateOf, widthOf } from './cluster-rules.ts'

const none = { error: 0, offline: 0, never: 0, online: 0 }
const at = (key: string, lat: number, lon: number, more: Partial<Cluster> = {}): Cluster => ({
  key,
  count: 10,
  worst: 'online',
  states: { ...none, online: 10 },
  lat,
  lon,
  extent: { north: lat + 1, south: lat - 1, west: lon - 1, east: lon + 1 },
  device: undefined,
  ...more,
})

test('clusters that would cover each other are one, with the worst state of both [R-12]', () => {
  const few = { count: 2, worst: 'error', states: { ...none, error: 1, online: 1 } } as const
  const clusters = [at('a', 50, 10), at('b', 50.2, 10.2, few), at('c', -30, 140)]
  const [joined, ...rest] = apart(clusters, 4)
  expect(rest.map(({ key }) => key)).toEqual(['c'])
  expect(joined).toMatchObject({
    key: 'a',
    count: 12,
    worst: 'error',
    states: { error: 1, offline: 0, never: 0, online: 11 },
    extent: { north: 51.2, south: 49, west: 9, east: 11.2 },
  })
  expect(apart(clusters, 9)).toHaveLength(3)
})

test('clusters that are one have the worst alarm of both', () => {
  const near = (alarms: (number | undefined)[]) => {
    const [one, other] = alarms.map((alarm) => (alarm === undefined ? {} : { alarm }))
    return apart([at('a', 50, 10, one), at('b', 50.2, 10.2, other)], 4).map(({ alarm }) => alarm)
  }
  expect(near([3, 5])).toEqual([5])
  expect(near([undefined, 0])).toEqual([0])
  expect(near([undefined, undefined])).toEqual([undefined])
})

test('a cell with one device is that device', () => {
  const corner = { lat: 1, lon: 2 }
  const bucket = {
    key: '3/1/2',
    doc_count: 1,
    worst: 'never' as const,
    states: { ...none, never: 1 },
    doc: { id: 'x', label: 'Kiln' },
    centroid: { location: corner },
    viewport: { bounds: { top_left: corner, bottom_right: corner } },
  }
  expect(clusterOf(bucket)).toMatchObject({ key: 'x', device: { id: 'x', label: 'Kiln' } })
  expect(clusterOf({ ...bucket, doc_count: 2 })).toMatchObject({ key: '3/1/2', device: undefined })
})

test('the width grows with the number, within bounds', () => {
  expect([1, 2, 100, 100_000].map((count) => widthOf({ count }))).toEqual([22, 32, 46, 66])
  expect([0, 5.4, 25].map(gridZoom)).toEqual([2, 8, 24])
})

test.each([
  [{ connected: true, configurationError: '', lastConnUpdateAt: 1 }, 'error'],
  [{ connected: true, configurationError: null, lastConnUpdateAt: 1 }, 'online'],
  [{ connected: false, configurationError: null, lastConnUpdateAt: 0 }, 'never'],
  [{ connected: false, configurationError: null, lastConnUpdateAt: 1 }, 'offline'],
])('%j is %s', (facts, state) => expect(stateOf(facts)).toBe(state))
