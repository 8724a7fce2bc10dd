import { beforeEach, expect, test } from 'vitest'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, openPortal } from '../../page-testing.tsx'
import { mapColors } from './map-colors.ts'
import { pixels } from './map-testing.ts'
import { section as deviceMapSection } from './section.ts'

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  answer({
    'POST /svc/mappings/api/v1/devices/aggregations': () => ({
      geogrid: { buckets: [], more: false },
      viewport: null,
      centroid: { location: { lat: 0, lon: 0 }, count: 1 },
    }),
  })
})

const sea: [number, number][] = [
  [25, -40],
  [50, -30],
  [58.7, 20],
  [62, -35],
  [66, 0],
  [-20, 0],
  [36, 18],
]
const land: [number, number][] = [
  [23, 10],
  [-8, -55],
  [62, 80],
  [52, 20],
  [-24, 24],
]

test('the shipped map has land where land is and sea where sea is [R-12]', async () => {
  await openPortal('/devicemap?at=1.4/25/8', { sections: [deviceMapSection] })
  await expect
    .poll(() => document.querySelector('[data-ready]'), { timeout: 90_000 })
    .not.toBeNull()
  const map = document.querySelector('.maplibregl-canvas') as HTMLCanvasElement
  const colorAt = await pixels(map, { zoom: 1.4, lat: 25, lon: 8 })
  const { sea: water, land: ground } = mapColors(map.closest('[data-ready]') as HTMLElement)
  expect(sea.map((point) => colorAt(...point))).toEqual(sea.map(() => water))
  expect(land.map((point) => colorAt(...point))).toEqual(land.map(() => ground))
})
