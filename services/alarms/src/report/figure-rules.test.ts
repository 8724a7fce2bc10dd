import { expect, test } from 'vitest'
import { figuresOf, mostInTenMinutes } from './figure-rules.ts'

const minute = 60_000
const spans = [{ from: 0, to: 60 * minute }]
const none = { spans, minutes: [], acknowledged: [] }

test('without alarms rates are zero, and without time there are none', () => {
  expect(figuresOf(none)).toMatchObject({
    hours: 1,
    perHour: 0,
    floodShare: 0,
    mostInTenMinutes: 0,
    acknowledgeMedianS: null,
  })
  expect(figuresOf({ ...none, spans: [] })).toMatchObject({ perHour: null, floodShare: null })
})

test('a stretch of ten minutes floods above ten alarms, the most is counted across stretches', () => {
  const ten = { minute: 9, count: 10 }
  expect(figuresOf({ ...none, minutes: [ten] }).floodShare).toBe(0)
  const minutes = [ten, { minute: 10, count: 11 }, { minute: 20, count: 3 }]
  expect(figuresOf({ ...none, minutes })).toMatchObject({
    alarms: 24,
    perHour: 24,
    floodShare: 1 / 6,
    mostInTenMinutes: 21,
  })
  expect(
    mostInTenMinutes([
      { minute: 0, count: 5 },
      { minute: 10, count: 6 },
    ]),
  ).toBe(6)
})

test('only minutes of the stretches count', () => {
  const minutes = [59, 60, 119, 120].map((at) => ({ minute: at, count: 1 }))
  const found = figuresOf({ ...none, spans: [{ from: 60 * minute, to: 120 * minute }], minutes })
  expect(found.alarms).toBe(2)
})

test('times to acknowledgement are those of the steps, those without one are left out', () => {
  const step = (seconds: number) => Math.round(Math.log1p(seconds) * 50)
  const { bySeverity, acknowledged, acknowledgeMedianS, acknowledge95S } = figuresOf({
    ...none,
    acknowledged: [
      { severity: 1, step: step(600), count: 10 },
      { severity: 1, step: step(30), count: 89 },
      { severity: 6, step: null, count: 3 },
    ],
  })
  expect(bySeverity).toEqual([0, 99, 0, 0, 0, 0, 3])
  expect(acknowledged).toBe(99)
  expect(acknowledgeMedianS).toBeCloseTo(30, 0)
  expect((acknowledge95S ?? 0) / 600).toBeCloseTo(1, 1)
})
