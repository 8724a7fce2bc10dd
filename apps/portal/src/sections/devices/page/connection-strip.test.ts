import { expect, test } from 'vitest'
import { stretchesOf } from './connection-strip.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const hoursAgo = (hours: number) => now - hours * 3_600_000
const line = (
  connected: boolean,
  connectedBefore: boolean | null,
  changes: [number, boolean][] = [],
) => stretchesOf({ now, connected, connectedBefore, changes })

test('a day without change is one stretch or none [R-10]', () => {
  expect(line(true, true)).toEqual({
    stretches: [{ from: 0, to: 1 }],
    losses: [],
    unknownUntil: 0,
  })
  expect(line(true, null).stretches).toEqual([{ from: 0, to: 1 }])
  expect(line(false, false)).toEqual({ stretches: [], losses: [], unknownUntil: 0 })
})

test('each loss ends a stretch and is marked', () => {
  expect(
    line(true, true, [
      [hoursAgo(12), false],
      [hoursAgo(6), true],
    ]),
  ).toEqual({
    stretches: [
      { from: 0, to: 0.5 },
      { from: 0.75, to: 1 },
    ],
    losses: [0.5],
    unknownUntil: 0,
  })
})

test('a device that came for the first time begins where it came', () => {
  expect(
    line(false, null, [
      [hoursAgo(18), true],
      [hoursAgo(12), false],
    ]),
  ).toEqual({
    stretches: [{ from: 0.25, to: 0.5 }],
    losses: [0.5],
    unknownUntil: 0.25,
  })
})
