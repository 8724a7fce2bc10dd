import { expect, test } from 'vitest'
import { columnsOf, rangeOf } from './counter-columns.ts'

const counter = (time: number, counterIn: number) => ({
  time,
  counterIn,
  counterOut: 1,
  counterThrottled: counterIn - 1,
})

test('counters are summed into the bars of a window; where nothing fired there is a zero', () => {
  const columns = columnsOf(
    [counter(1_000, 2), counter(1_999, 3), counter(3_000, 5)],
    { from: 1_000, to: 4_000 },
    1_000,
  )
  expect(columns).toEqual({
    times: [1_000, 2_000, 3_000],
    fired: [5, 0, 5],
    ran: [2, 0, 1],
    throttled: [3, 0, 4],
  })
})

test('counters outside of the window are not in a bar', () => {
  const { fired } = columnsOf(
    [counter(999, 2), counter(3_000, 7)],
    { from: 1_000, to: 3_000 },
    1_000,
  )
  expect(fired).toEqual([0, 0])
})

test('an unknown span is a day', () => {
  expect(rangeOf(undefined).name).toBe('day')
  expect(rangeOf('year').name).toBe('day')
  expect(rangeOf('month').step).toBe('day')
})
