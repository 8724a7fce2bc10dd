import { expect, test } from 'vitest'
import { bandsOf, uptimePercent } from './connection-bands.ts'

const window = { from: 100, to: 200 }

test.each([
  ['never there', [], 200, [[100, 200, undefined]]],
  ['there all the time', [{ from: 50, to: null }], 50, [[100, 200, true]]],
  [
    'seen first within the window',
    [{ from: 120, to: 150 }],
    120,
    [
      [100, 120, undefined],
      [120, 150, true],
      [150, 200, false],
    ],
  ],
  [
    'away for a while, told newest first',
    [
      { from: 160, to: null },
      { from: 10, to: 140 },
    ],
    10,
    [
      [100, 140, true],
      [140, 160, false],
      [160, 200, true],
    ],
  ],
  ['away since before', [{ from: 10, to: 90 }], 10, [[100, 200, false]]],
])('a line %s is a row of bands [E-16]', (_, connections, known, expected) => {
  const bands = bandsOf(connections, window, known)
  expect(bands.map(({ from, to, connected }) => [from, to, connected])).toEqual(expected)
})

test('uptime is said of the time that is known alone [E-16]', () => {
  const hour = 3_600_000
  expect(uptimePercent({ days: 1, onlineMs: 5 * hour, knownMs: 20 * hour })).toBe(25)
  expect(uptimePercent({ days: 1, onlineMs: 0, knownMs: 0 })).toBeUndefined()
  // Four minutes of a day are no hundred percent of it.
  expect(uptimePercent({ days: 1, onlineMs: hour / 15, knownMs: hour / 15 })).toBeUndefined()
  expect(uptimePercent({ days: 7, onlineMs: 24 * hour, knownMs: 24 * hour })).toBeUndefined()
})
