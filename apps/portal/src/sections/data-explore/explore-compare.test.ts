import { expect, test } from 'vitest'
import { compared, earlierWindow } from './explore-compare.ts'

const at = (text: string) => Date.parse(text)

test('a day earlier is the same time of day where the clock changes between [R-16]', () => {
  const window = { from: at('2026-10-25T11:00:00Z'), to: at('2026-10-25T12:00:00Z') } // 12:00 in Rome
  const earlier = earlierWindow(window, 'day', 'Europe/Rome')
  expect(earlier?.from).toBe(at('2026-10-24T10:00:00Z')) // 12:00 in Rome, an hour more east
  expect((earlier?.to ?? 0) - (earlier?.from ?? 0)).toBe(3_600_000)
})

test('a week and the window before are compared with, and nothing when nothing is chosen', () => {
  const window = { from: at('2026-03-10T10:00:00Z'), to: at('2026-03-10T11:00:00Z') }
  expect(earlierWindow(window, 'week', 'UTC')?.from).toBe(at('2026-03-03T10:00:00Z'))
  expect(earlierWindow(window, 'window', 'UTC')?.from).toBe(at('2026-03-10T09:00:00Z'))
  expect(earlierWindow(window, 'none', 'UTC')).toBeUndefined()
})

test('the earlier course lies under the line of now, dashed and in its colour [R-16]', () => {
  const line = { id: 'd/p', name: 'P', color: 'red', times: [100], values: [1], unit: '°C' }
  const past = new Map([['d/p', { times: [40, 50], values: [7, null] }]])
  expect(compared([line, { ...line, id: 'x', hidden: true }], past, 60)).toEqual([
    {
      id: 'd/p earlier',
      name: 'P',
      color: 'red',
      axis: 'left',
      dashed: true,
      times: [100, 110],
      values: [7, null],
      unit: '°C',
    },
  ])
})
