import { readFileSync } from 'node:fs'
import world from 'world-atlas/countries-50m.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { countryShapes } from './basemap-shapes.ts'
import { placesOf } from './place-rules.ts'

const { features } = placesOf(readFileSync(new URL('places.txt', import.meta.url), 'utf8'))
const shapes = countryShapes(world)

test('every city stands in its country, or at its coast [R-12]', () => {
  expect(features.length).toBeGreaterThan(500)
  const elsewhere = features.filter(({ geometry, properties }) => {
    const [lon = 0, lat = 0] = geometry.coordinates
    const around = [-0.3, -0.15, 0, 0.15, 0.3]
    return !around.some((x) =>
      around.some((y) =>
        shapes.some(
          ({ region, polygons }) =>
            region === properties.country &&
            polygons.some(([ring = []]) => isInside(ring, lon + x, lat + y)),
        ),
      ),
    )
  })
  expect(elsewhere.map(({ properties }) => properties.name)).toEqual([])
})

test('a city is there once, and has one of three ranks', () => {
  const names = features.map(({ properties }) => `${properties.name} ${properties.country}`)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(features.map(({ properties }) => properties.rank))).toEqual(new Set([1, 2, 3]))
})

function isInside(ring: readonly number[][], x: number, y: number) {
  let inside = false
  for (const [place, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring[(place + 1) % ring.length] ?? []
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside
  }
  return inside
}
