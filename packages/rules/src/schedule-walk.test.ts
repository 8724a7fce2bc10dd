import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchedule } from './schedule.ts'

// Windows over changes of clocks, compared with a walk that knows only what the clock of the zone shows.

const quarter = 15 * 60_000
const days = 7

const dateAfter = (date: string, some: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + some * 86_400_000).toISOString().slice(0, 10)

/** Days on which clocks change: forward, back, by half an hour, at midnight, and over a whole day. */
const clockChanges = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Santiago', '2026-04-05'],
  ['America/Santiago', '2026-09-06'],
  ['Pacific/Apia', '2011-12-30'],
] as const

const clockTime = fc
  .integer({ min: 0, max: 95 })
  .map((place) => new Date(place * quarter).toISOString().slice(11, 16))
const window = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    from: clockTime,
    to: fc.oneof({ weight: 9, arbitrary: clockTime }, fc.constant('24:00')),
  })
  .filter(({ from, to }) => from !== to)
type Window = typeof window extends fc.Arbitrary<infer T> ? T : never

/** Date and time of the clock at the end of a window that begins on a date. */
function endOf(date: string, { from, to }: Window) {
  if (to === '24:00') return `${dateAfter(date, 1)} 00:00`
  return `${dateAfter(date, to > from ? 0 : 1)} ${to}`
}

test.each(clockChanges)(
  'over the change of clocks in %s on %s windows are open as a walk along its clock finds',
  (zone, date) => {
    const format = new Intl.DateTimeFormat('sv', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
    const begin = Date.parse(`${dateAfter(date, -3)}T12:00Z`)
    const clock = Array.from({ length: days * 96 }, (_, n) => format.format(begin + n * quarter))
    const dates = Array.from({ length: days + 7 }, (_, n) => dateAfter(date, n - 6))
    const placeOf = (text: string) => {
      const place = clock.findIndex((shown) => shown >= text)
      return place === -1 ? clock.length : place
    }
    const property = fc.property(
      fc.array(window, { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(fc.constantFrom(...dates), { maxLength: 2 }),
      (times, exceptDates) => {
        const { isOpen } = compileSchedule({ zone, times, exceptDates })
        const stretches = times.flatMap((one) =>
          dates
            .filter((day) => !exceptDates.includes(day))
            .filter((day) => one.days.includes(new Date(`${day}T00:00Z`).getUTCDay()))
            .map((day) => [placeOf(`${day} ${one.from}`), placeOf(endOf(day, one))] as const),
        )
        const wrong = clock.filter((_, n) => {
          const isWanted = stretches.some(([from, to]) => from <= n && n < to)
          return isOpen(begin + n * quarter) !== isWanted
        })
        expect(wrong).toEqual([])
      },
    )
    fc.assert(property, { numRuns: 30 })
  },
)
