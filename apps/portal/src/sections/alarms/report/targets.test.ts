import { expect, test } from 'vitest'
import { sharesOf, verdictOf } from './targets.ts'

test('each figure is judged at its target [R-22 in part]', () => {
  const cases = [
    ['perHour', 6, 'good'],
    ['perHour', 6.01, 'bearable'],
    ['perHour', 12, 'bearable'],
    ['perHour', 12.1, 'bad'],
    ['perHour', null, 'none'],
    ['floodShare', 0.0099, 'good'],
    ['floodShare', 0.01, 'bad'],
    ['mostInTenMinutes', 10, 'good'],
    ['mostInTenMinutes', 11, 'bad'],
    ['worstShare', 0.05, 'bad'],
    ['chattering', 0, 'good'],
    ['chattering', 1, 'bad'],
    ['standing', 4, 'good'],
    ['standing', 5, 'bad'],
  ] as const
  for (const [name, value, verdict] of cases)
    expect([name, value, verdictOf(name, value)]).toEqual([name, value, verdict])
})

test('priorities are shares of all alarms', () => {
  const shares = sharesOf({ alarms: 100, bySeverity: [10, 40, 0, 20, 5, 15, 10] })
  expect(shares.map(({ share, verdict }) => [share, verdict])).toEqual([
    [0.5, 'bad'],
    [0.25, 'good'],
    [0.25, 'bearable'],
  ])
  expect(sharesOf({ alarms: 0, bySeverity: [] })[0]).toMatchObject({ share: null, verdict: 'none' })
})
