import world from 'world-atlas/countries-50m.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { areaOf, basemapOf } from './basemap-shapes.ts'

const { land, labels, coasts, borders } = basemapOf(world, 'de')

test('every piece of land is a polygon with its outer ring against the clock [R-12]', () => {
  expect(land.features.length).toBeGreaterThan(1_000)
  const outer = land.features.map(({ geometry }) => areaOf(geometry.coordinates[0] ?? []))
  expect(outer.every((area) => area > 0)).toBe(true)
  const holes = land.features.flatMap(({ geometry }) => geometry.coordinates.slice(1).map(areaOf))
  expect(holes.every((area) => area < 0)).toBe(true)
})

test('a country has one name, in the language of the reader, inside of it [R-12]', () => {
  const named = (name: string) =>
    labels.features.filter(({ properties }) => properties.name === name)
  expect(named('Deutschland')).toHaveLength(1)
  expect(named('Vereinigte Staaten')).toHaveLength(1)
  const [lon = 0, lat = 0] = named('Frankreich')[0]?.geometry.coordinates ?? []
  expect(lon > -2 && lon < 8 && lat > 43 && lat < 50).toBe(true)
})

test('nothing is drawn back across the world at the date line [R-12]', () => {
  const rings = land.features.flatMap(({ geometry }) => geometry.coordinates)
  const steps = [...rings, ...coasts.coordinates, ...borders.coordinates].flatMap((line) =>
    line
      .slice(1)
      .map(([x = 0, y = 0], place) => (Math.abs(y) === 90 ? 0 : x - (line[place]?.[0] ?? x))),
  )
  expect(steps.every((step) => Math.abs(step) < 180)).toBe(true)
  const russia = labels.features.find(({ properties }) => properties.name === 'Russland')
  const [lon = 0, lat = 0] = russia?.geometry.coordinates ?? []
  expect(lon > 40 && lon < 150 && lat > 50 && lat < 75).toBe(true)
})
