import { expect, test } from 'vitest'
import { presencesOf } from './connections.ts'
import { heldIn, holdsTo, withState } from './held.ts'
import { bucketStart, stepsOf } from './resolution.ts'
import { silenced, silencesOf } from './silences.ts'

const source = { device: 'd', path: 'M:1/setPoint', type: 'double' }
const around = { source, resolution: 'raw', away: [], window: { from: 100, to: 200 } } as const
const empty = { times: [] }
const before = { at: 10, value: 7 }

test('a value sent on change holds from before the window to the first new one [R-16]', () => {
  expect(heldIn({ times: [150] }, before, around)).toEqual({
    value: 7,
    at: 10,
    from: 100,
    to: 150,
    joins: true,
  })
  expect(heldIn(empty, before, around)).toMatchObject({ from: 100, to: 200, joins: false })
  expect(heldIn({ times: [100] }, before, around)).toBeUndefined()
  expect(heldIn(empty, undefined, around)).toBeUndefined()
})

test('what an absent or silent device said last is not known to hold', () => {
  expect(heldIn(empty, before, { ...around, away: [{ from: 100, to: 120 }] })).toBeUndefined()
  const away = [{ from: 130, to: 140 }]
  expect(heldIn({ times: [150] }, before, { ...around, away })).toMatchObject({
    to: 130,
    joins: false,
  })
  const often = { ...source, everyMs: 10 }
  expect(heldIn(empty, before, { ...around, source: often })).toBeUndefined()
  expect(holdsTo(120, { ...around, source: often })).toBe(150)
})

test('a text that held before is one of the states', () => {
  const line = { times: [150], values: [0], states: ['Run'] }
  const whole = withState(line, { at: 10, value: 'Idle' })
  expect(whole.states).toEqual(['Run', 'Idle'])
  expect(heldIn(whole, { at: 10, value: 'Idle' }, around)?.value).toBe(1)
})

test('the last change before the window says how it began', () => {
  const changes = [
    { at: 150, connected: true },
    { at: 20, connected: false },
  ]
  expect(presencesOf(changes, { from: 100, until: 200 })).toEqual([
    { from: 100, to: 150, connected: false },
    { from: 150, to: 200, connected: true },
  ])
  expect(presencesOf([], { from: 100, until: 200 })).toEqual([])
})

test('buckets of a day begin at midnight of the zone, also when it has 23 or 25 hours [R-16]', () => {
  const day = 86_400_000
  const start = (text: string, size = day) =>
    new Date(bucketStart(Date.parse(text), size, 'Europe/Rome')).toISOString()
  expect(start('2026-03-29T12:00:00Z')).toBe('2026-03-28T23:00:00.000Z')
  expect(start('2026-03-30T12:00:00Z')).toBe('2026-03-29T22:00:00.000Z')
  expect(start('2026-10-25T23:30:00Z')).toBe('2026-10-25T23:00:00.000Z')
  expect(start('2026-11-01T12:00:00Z', 7 * day)).toBe('2026-10-25T23:00:00.000Z')
  expect(start('2026-11-30T12:00:00Z', 30 * day)).toBe('2026-10-31T23:00:00.000Z')
  expect(stepsOf(day, 'Europe/Rome')).toEqual({
    sampling: { size: 1, unit: 'days' },
    timezone: 'Europe/Rome',
  })
  expect(stepsOf(3_600_000, 'Europe/Rome')).toEqual({
    sampling: { size: 3_600_000, unit: 'milliseconds' },
  })
})

test('a formula says nothing where one of its lines says nothing', () => {
  const line = { times: [10, 20, 21, 50], values: [1, 2, null, 3] }
  const silences = silencesOf(line, 70)
  expect(silences).toEqual([
    { from: -Infinity, to: 10 },
    { from: 20, to: 50 },
    { from: 70, to: Infinity },
  ])
  const points = { times: [5, 10, 20, 30, 50, 70, 80], values: [1, 2, 3, 4, 5, 6, 7] }
  expect(silenced(points, silences)).toEqual([null, 2, 3, null, 5, 6, null])
})
