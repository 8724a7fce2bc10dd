import { expect, test } from 'vitest'
import { readShifts, reportState } from './report-url.ts'

const now = Date.parse('2026-03-30T12:00:00Z')
const iso = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((at) => new Date(at).toISOString())

test('a report without an address is of this week, with three shifts [R-22 in part]', () => {
  const state = reportState({ zone: 'UTC' }, now)
  expect(iso(state.window)).toEqual(['2026-03-30T00:00:00.000Z', '2026-04-06T00:00:00.000Z'])
  expect(state).toMatchObject({ period: 'week', shifts: ['06:00', '14:00', '22:00'], below: true })
})

test('days, weeks and months are those of the zone, with the ones beside them', () => {
  const at = { at: '2026-03-29', zone: 'Europe/Berlin' }
  const day = reportState({ ...at, period: 'day' }, now)
  expect(iso(day.window)).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  expect(day.beside).toEqual({ earlier: '2026-03-28', later: '2026-03-30' })
  const month = reportState({ ...at, period: 'month' }, now)
  expect(month.beside).toEqual({ earlier: '2026-02-01', later: '2026-04-01' })
  const own = '2026-01-01T00:00:00.000Z/2026-01-03T00:00:00.000Z'
  expect(iso(reportState({ period: 'own', time: own }, now).window).join('/')).toBe(own)
})

test('what does not read is as if it were not there', () => {
  const bad = reportState(
    { period: 'year', at: 'soon', shifts: 'x', zone: 'Mars', below: '1' },
    now,
  )
  expect(bad).toEqual(reportState({}, now))
})

test('shifts are read as people write them', () => {
  expect(readShifts('22, 6 14:30')).toEqual(['06:00', '14:30', '22:00'])
  for (const text of ['', '24:00', '6:70', 'six', '6:5']) expect(readShifts(text)).toBeUndefined()
})
