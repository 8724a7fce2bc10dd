import fc from 'fast-check'
import { expect, test } from 'vitest'
import { geohash, hashBits } from './geo-cells.ts'

/** The cell of a place, as the database counts it. */
const cellOf = (lat: number, lon: number, length: number) => {
  const bits = hashBits(length)
  return geohash(
    Math.min(Math.floor(((lon + 180) / 360) * 2 ** bits.lon), 2 ** bits.lon - 1),
    Math.min(Math.floor(((lat + 90) / 180) * 2 ** bits.lat), 2 ** bits.lat - 1),
    length,
  )
}

test.each([
  // Known pairs of the public definition.
  [57.64911, 10.40744, 'u4pruydqqvj'],
  [42.605, -5.603, 'ezs42'],
  [-25.382708, -49.265506, '6gkzwgjzn820'],
  [0, 0, 's0000'],
  [90, 180, 'zzzzz'],
])('%d, %d lies in %s', (lat, lon, hash) => {
  expect(cellOf(lat, lon, hash.length)).toBe(hash)
})

test('a longer hash of a place begins with its shorter ones', () => {
  const lat = fc.double({ min: -90, max: 90, noNaN: true })
  const lon = fc.double({ min: -180, max: 180, noNaN: true })
  fc.assert(
    fc.property(lat, lon, fc.integer({ min: 1, max: 11 }), (north, east, length) => {
      expect(cellOf(north, east, 12).startsWith(cellOf(north, east, length))).toBe(true)
    }),
  )
})
