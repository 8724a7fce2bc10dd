import { expect, test } from 'vitest'
import { askedBox, degreesOf, parsePlace, formatPlace, wrapped } from './map-url-rules.ts'

test('a place is read from the address as it was written [R-12]', () => {
  const place = { zoom: 5.25, lat: 46.948, lon: 7.4474 }
  expect(parsePlace(formatPlace(place))).toEqual(place)
  expect(formatPlace({ ...place, lon: 190 })).toBe('5.25/46.9480/-170.0000')
})

test.each([undefined, '', '1/2', '1/2/3/4', 'a/b/c', '//', '30/1/1', '1/91/1', '1/1/181'])(
  '%j is no place',
  (text) => expect(parsePlace(text)).toBeUndefined(),
)

test('a small move of the map asks for the same part of the world', () => {
  const box = { north: 50.1, south: 40.3, west: 5.2, east: 16.4 }
  const moved = { north: 50.2, south: 40.4, west: 5.3, east: 16.5 }
  expect(askedBox(moved, 6)).toEqual(askedBox(box, 6))
})

test('across the date line west is east of east; the whole world is asked for once', () => {
  expect(askedBox({ north: 1, south: -1, west: 170, east: 200 }, 4)).toMatchObject({
    west: 168.75,
    east: -157.5,
  })
  expect(askedBox({ north: 85, south: -85, west: -250, east: 240 }, 1)).toMatchObject({
    west: -180,
    east: 180,
  })
  expect([181, -181, 540].map(wrapped)).toEqual([-179, 179, -180])
})

test.each([
  ['52,5', 90, 52.5],
  [' -13.4 ', 180, -13.4],
  ['91', 90, undefined],
  ['', 90, undefined],
  ['north', 90, undefined],
] as const)('%j within %d is %j', (text, limit, degrees) =>
  expect(degreesOf(text, limit)).toBe(degrees),
)
