import { isoText } from '@longreach/calendar/iso-time'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Schedule } from './rule.ts'
import { compileSchedule } from './schedule.ts'

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const rome = 'Europe/Rome'
const utc = (text: string) => Date.parse(`${text}Z`)
const schedule = (given: Partial<Schedule>): Schedule => ({
  zone: rome,
  times: [{ days: everyDay, from: '06:00', to: '22:00' }],
  exceptDates: [],
  ...given,
})

/** Edges of a schedule as clock times of the zone. */
function edges(given: Schedule, since: string, to: string) {
  const { nextEdge, isOpen } = compileSchedule(given)
  const found: string[] = []
  for (let t = nextEdge(utc(since)); t !== undefined && t < utc(to); t = nextEdge(t)) {
    found.push(`${isOpen(t) ? 'opens' : 'closes'} ${isoText(given.zone)(t).slice(5, 16)}`)
  }
  return found
}

test('a window opens and closes by the clock of the zone', () => {
  expect(edges(schedule({}), '2026-11-26T00:00', '2026-11-27T12:00')).toEqual([
    'opens 11-26T06:00',
    'closes 11-26T22:00',
    'opens 11-27T06:00',
  ])
})

test('days of 23 and 25 hours have windows of their own length', () => {
  const whole = schedule({ times: [{ days: everyDay, from: '00:00', to: '12:00' }] })
  const { nextEdge } = compileSchedule(whole)
  const length = (start: string) => {
    const opens = nextEdge(utc(start)) ?? 0
    return ((nextEdge(opens) ?? 0) - opens) / 3_600_000
  }
  expect(length('2026-03-28T20:00')).toBe(11)
  expect(length('2026-10-24T20:00')).toBe(13)
})

test('a time that the clock skips is the next that exists, of two the first counts', () => {
  const night = schedule({ times: [{ days: everyDay, from: '02:30', to: '04:00' }] })
  expect(edges(night, '2026-03-28T12:00', '2026-03-29T12:00')).toEqual([
    'opens 03-29T03:00',
    'closes 03-29T04:00',
  ])
  const { nextEdge } = compileSchedule(night)
  expect(nextEdge(utc('2026-10-24T12:00'))).toBe(utc('2026-10-25T00:30'))
  const gone = schedule({ times: [{ days: everyDay, from: '02:10', to: '02:50' }] })
  expect(edges(gone, '2026-03-28T12:00', '2026-03-29T12:00')).toEqual([])
})

test('windows go over midnight, join each other, and do not begin on excepted days', () => {
  const shifts = schedule({
    times: [
      { days: [1, 2, 3, 4, 5], from: '22:00', to: '06:00' },
      { days: [2, 3, 4, 5, 6], from: '06:00', to: '08:00' },
    ],
    exceptDates: ['2026-11-25'],
  })
  expect(edges(shifts, '2026-11-23T12:00', '2026-11-28T12:00')).toEqual([
    'opens 11-23T22:00',
    'closes 11-24T08:00',
    'opens 11-24T22:00',
    'closes 11-25T06:00',
    'opens 11-26T06:00',
    'closes 11-26T08:00',
    'opens 11-26T22:00',
    'closes 11-27T08:00',
    'opens 11-27T22:00',
    'closes 11-28T08:00',
  ])
})

test('a schedule that is always open has no edges', () => {
  const always = schedule({ times: [{ days: everyDay, from: '00:00', to: '24:00' }] })
  const { isOpen, nextEdge } = compileSchedule(always)
  expect([isOpen(utc('2026-03-29T02:30')), nextEdge(utc('2026-03-29T02:30'))]).toEqual([
    true,
    undefined,
  ])
})

test('a schedule follows the zone of the device', () => {
  const { nextEdge } = compileSchedule(schedule({ zone: 'device' }), 'Asia/Kathmandu')
  expect(nextEdge(utc('2026-11-26T00:00'))).toBe(utc('2026-11-26T00:15'))
})

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const anySchedule = fc.record({
  zone: fc.constantFrom(rome, 'America/Santiago', 'Australia/Lord_Howe', 'UTC'),
  times: fc.array(
    fc.record({ days: fc.uniqueArray(fc.constantFrom(...everyDay)), from: clock, to: clock }),
    { maxLength: 4 },
  ),
  exceptDates: fc.constant<string[]>([]),
})

test('between two edges the state stays, at each edge it changes', () => {
  fc.assert(
    fc.property(anySchedule, fc.integer({ min: 0, max: 365 * 24 * 60 }), (given, minute) => {
      const { isOpen, nextEdge } = compileSchedule(given)
      const t = utc('2026-01-01T00:00') + minute * 60_000
      const edge = nextEdge(t)
      if (edge === undefined) return
      expect(edge).toBeGreaterThan(t)
      expect(isOpen(edge)).toBe(!isOpen(t))
      for (let part = 0; part < 20; part += 1) {
        expect(isOpen(Math.floor(t + ((edge - 1 - t) * part) / 20))).toBe(isOpen(t))
      }
    }),
    { numRuns: 100 },
  )
})
