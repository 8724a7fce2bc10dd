import { instantOf } from '@longreach/calendar/wall-time'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScheduleSettings } from './contract.ts'
import { compileOnCall, onCallAt } from './on-call-rules.ts'

const zone = 'Europe/Berlin'
const at = (text: string) => {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = text.split(/[-T:]/).map(Number)
  return instantOf({ year, month, day, hour, minute, second: 0, ms: 0 }, zone)
}
const layer = (more: Partial<ScheduleSettings['layers'][number]> = {}) => ({
  people: ['anna', 'ben', 'carl'],
  everyDays: 7,
  handOver: { day: 1, time: '08:00' },
  from: at('2026-03-02T08:00'),
  ...more,
})
const schedule = (more: Partial<ScheduleSettings> = {}): ScheduleSettings => ({
  name: 'Night',
  zone,
  layers: [layer()],
  overrides: [],
  ...more,
})

test.each([
  ['2026-03-02T08:00', 'anna'],
  ['2026-03-09T07:59', 'anna'],
  ['2026-03-09T08:00', 'ben'],
  ['2026-03-16T08:00', 'carl'],
  // The clocks change on 2026-03-29: the turn ends at 08:00 all the same.
  ['2026-03-30T07:59', 'anna'],
  ['2026-03-30T08:00', 'ben'],
  ['2026-03-02T07:59', null],
])('on call at %s: %s', (time, person) => expect(onCallAt(schedule(), at(time))).toBe(person))

test('a turn of weeks that begins in the middle of a week ends at the next hand-over day', () => {
  const begun = schedule({ layers: [layer({ from: at('2026-03-05T12:00') })] })
  expect(onCallAt(begun, at('2026-03-05T12:00'))).toBe('anna')
  expect(onCallAt(begun, at('2026-03-09T08:00'))).toBe('ben')
})

test('a hand-over at a time that the clocks skip is at the change', () => {
  const daily = schedule({
    layers: [
      layer({ everyDays: 1, handOver: { day: 0, time: '02:30' }, from: at('2026-03-28T02:30') }),
    ],
  })
  const change = Date.UTC(2026, 2, 29, 1)
  expect(onCallAt(daily, change - 1)).toBe('anna')
  expect(onCallAt(daily, change)).toBe('ben')
})

test('an override stands before layers, a later layer before an earlier one, and a gap is nobody', () => {
  const [from, to] = [at('2026-03-03T00:00'), at('2026-03-04T00:00')]
  const both = schedule({
    layers: [layer(), layer({ people: ['dora'], from, to: at('2026-03-05T00:00') })],
    overrides: [
      { person: 'emil', from, to },
      { person: 'fay', from: at('2026-03-03T12:00'), to },
    ],
  })
  expect(onCallAt(both, from)).toBe('emil')
  expect(onCallAt(both, at('2026-03-03T12:00'))).toBe('fay')
  expect(onCallAt(both, to)).toBe('dora')
  expect(onCallAt(both, at('2026-03-05T00:00'))).toBe('anna')
  expect(onCallAt(schedule({ layers: [layer({ to })] }), to)).toBe(null)
})

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']
const moment = fc.integer({ min: Date.UTC(2011, 11, 1), max: Date.UTC(2027, 0, 1) })
const person = fc.constantFrom('anna', 'ben', 'carl', 'dora')
const span = fc
  .tuple(moment, fc.integer({ min: 1, max: 40 * 86_400_000 }))
  .map(([from, length]) => ({ from, to: from + length }))
const anySchedule = fc.record({
  name: fc.constant('x'),
  zone: fc.constantFrom(...zones),
  layers: fc.array(
    fc.record({
      people: fc.array(person, { minLength: 1, maxLength: 5 }),
      everyDays: fc.constantFrom(1, 2, 7, 14),
      handOver: fc.record({
        day: fc.integer({ min: 0, max: 6 }),
        time: fc.constantFrom('00:00', '02:00', '02:30', '08:00', '23:59'),
      }),
      from: moment,
    }),
    { maxLength: 3 },
  ),
  overrides: fc.array(
    fc.tuple(span, person).map(([one, who]) => ({ ...one, person: who })),
    {
      maxLength: 4,
    },
  ),
})

test('at any time exactly one person is on call, or there is a gap that the turns show', () => {
  fc.assert(
    fc.property(anySchedule, moment, (settings, t) => {
      const { personAt, turnsBetween } = compileOnCall(settings)
      const turns = turnsBetween(t, t + 30 * 86_400_000)
      expect(turns[0]?.from).toBe(t)
      expect(turns.at(-1)?.to).toBe(t + 30 * 86_400_000)
      for (const [place, turn] of turns.entries()) {
        expect(turn.to).toBeGreaterThan(turn.from)
        if (place > 0) {
          expect(turn.from).toBe(turns[place - 1]?.to)
          expect(turn.person).not.toBe(turns[place - 1]?.person)
        }
        for (const inside of [turn.from, Math.floor((turn.from + turn.to) / 2), turn.to - 1]) {
          expect(personAt(inside)).toBe(turn.person)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('turns of a rotation follow one another in the order of its people', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      moment,
      fc.constantFrom(1, 7, 14),
      (in_, from, everyDays) => {
        const people = ['anna', 'ben', 'carl']
        const one = layer({ people, everyDays, from })
        const turns = compileOnCall(schedule({ zone: in_, layers: [one] })).turnsBetween(
          from,
          from + 10 * everyDays * 86_400_000,
        )
        for (const [place, turn] of turns.entries()) expect(turn.person).toBe(people[place % 3])
      },
    ),
    { numRuns: 300 },
  )
})

const quarter = 15 * 60_000
const days = 14

/** Date and time of a zone's clock at each quarter of an hour from a time on, as texts that sort by time. */
function wallClock(timeZone: string, from: number) {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return Array.from({ length: days * 96 }, (_, n) => format.format(from + n * quarter))
}

const dateAfter = (date: string, some: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + some * 86_400_000).toISOString().slice(0, 10)

/** Places at which the clock first shows the time of a hand-over day, or a later one where it skips that. */
function handOvers(clock: readonly string[], first: string, every: number, time: string) {
  const due = Array.from({ length: days / every + 2 }, (_, n) => dateAfter(first, (n + 1) * every))
  return due.map((date) => clock.findIndex((shown) => shown >= `${date} ${time}`))
}

/** Days on which clocks change: forward, back, by half an hour, at midnight, and over a whole day. */
const clockChanges = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Santiago', '2026-09-06'],
  ['Pacific/Apia', '2011-12-30'],
] as const

test.each(clockChanges)(
  'over the change of clocks in %s on %s the turns are those of a walk along its clock',
  (timeZone, date) => {
    const people = ['anna', 'ben', 'carl']
    const begin = Date.parse(`${dateAfter(date, -10)}T12:00Z`)
    const clock = wallClock(timeZone, begin)
    const today = (clock[0] ?? '').slice(0, 10)
    for (const time of ['00:00', '00:30', '01:45', '02:00', '02:15', '02:30', '03:00', '23:45']) {
      for (const everyDays of [1, 2, 7]) {
        // The last hand-over before the begin is the first one of the layer.
        const reached = (clock[0] ?? '') >= `${today} ${time}`
        const first = dateAfter(today, reached ? 0 : -1)
        const day = new Date(`${first}T00:00Z`).getUTCDay()
        const one = layer({ people, everyDays, handOver: { day, time }, from: begin })
        const { personAt } = compileOnCall(schedule({ zone: timeZone, layers: [one] }))
        const places = handOvers(clock, first, everyDays, time).filter((place) => place >= 0)
        const wrong = clock.flatMap((shown, n) => {
          // Every quarter of an hour around the change, every fourth hour elsewhere.
          if (n % 16 !== 0 && !shown.startsWith(date) && !shown.startsWith(dateAfter(date, 1)))
            return []
          const turn = places.filter((place) => place <= n).length
          const wanted = people[turn % people.length]
          const found = personAt(begin + n * quarter)
          return found === wanted ? [] : [{ shown, time, everyDays, found, wanted }]
        })
        expect(wrong).toEqual([])
      }
    }
  },
)
