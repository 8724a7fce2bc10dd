import { expect, test } from 'vitest'
import { alignColumns, factsOf, indexAt, isBlank, valueAt, withGaps } from './chart-data.ts'

const line = (times: number[], values: (number | null)[]) => ({
  id: 'a',
  name: 'a',
  color: 'red',
  times,
  values,
})

test('two series share one time axis, and a gap is not a missing sample', () => {
  const { times, columns } = alignColumns([
    { times: [1, 3, 5], columns: [[10, null, 30]] },
    { times: [2, 3], columns: [[7, 8]] },
  ])
  expect(times).toEqual([1, 2, 3, 5])
  expect(columns).toEqual([
    [10, null, null, 30],
    [undefined, 7, 8, undefined],
  ])
})

test('the band of buckets counts for the extremes but not for the mean', () => {
  const series = { ...line([1, 2, 3], [10, 20, null]), low: [5, 18, null], high: [12, 40, null] }
  expect(factsOf(series, { from: 0, to: 9 })).toEqual({
    count: 2,
    min: 5,
    max: 40,
    mean: 15,
    last: 20,
    lastAt: 2,
  })
})

test('a window without a value has no facts, not zeros', () => {
  expect(factsOf(line([1, 2], [1, 2]), { from: 10, to: 20 })).toBeUndefined()
  expect(factsOf(line([11], [null]), { from: 10, to: 20 })).toBeUndefined()
})

test('a first value that came just after the window ends is not said to be missing', () => {
  const window = { from: 0, to: 1000 }
  expect(isBlank(line([1004], [1]), window)).toBe(false)
  expect(isBlank(line([1004, 1005], [1, null]), window)).toBe(false)
  expect(isBlank(line([500, 1005], [null, null]), window)).toBe(true)
  expect(isBlank(line([-5, 1100], [1, 1]), window)).toBe(true)
})

test('the cross-hair reads the nearest point of a line and the held value of a step', () => {
  const points = line([0, 100], [1, 2])
  expect(valueAt(points, 90)).toBe(2)
  expect(valueAt({ ...points, step: true }, 90)).toBe(1)
  expect(valueAt(points, -1)).toBeUndefined()
})

test('the index of a moment is that of the newest time not later', () => {
  expect([-1, 0, 5, 10, 99].map((at) => indexAt([0, 10, 20], at))).toEqual([-1, 0, 0, 1, 2])
})

const longerThan20 = (a: number, b: number) => b - a > 20
test('a silence longer than the limit breaks the line', () => {
  const { times, values } = withGaps(
    { times: [0, 10, 100, 110], values: [1, 2, 3, 4] },
    longerThan20,
  )
  expect(times).toEqual([0, 10, 11, 100, 110])
  expect(values).toEqual([1, 2, null, 3, 4])
})

test('a line without a long silence is left alone', () => {
  const whole = { times: [0, 10], values: [1, 2] }
  expect(withGaps(whole, longerThan20)).toBe(whole)
})

test('many lines share one axis of times, each time once', () => {
  const { times, columns } = alignColumns(
    [[1, 4], [2, 4], [3], [1, 5]].map((own) => ({ times: own, columns: [own] })),
  )
  expect(times).toEqual([1, 2, 3, 4, 5])
  expect(columns).toEqual([
    [1, undefined, undefined, 4, undefined],
    [undefined, 2, undefined, 4, undefined],
    [undefined, undefined, 3, undefined, undefined],
    [1, undefined, undefined, undefined, 5],
  ])
})

test('lines with the same times are not copied', () => {
  const times = Float64Array.from([1, 2])
  const values = Float64Array.from([3, 4])
  const aligned = alignColumns([
    { times, columns: [values] },
    { times, columns: [values] },
  ])
  expect(aligned.times).toBe(times)
  expect(aligned.columns[1]).toBe(values)
  expect(alignColumns([])).toEqual({ times: [], columns: [] })
})

test('facts follow the window, though the line is the same', () => {
  const series = line([1, 2, 3], [10, 20, 30])
  expect(factsOf(series, { from: 1, to: 2 })).toMatchObject({ count: 2, max: 20, last: 20 })
  expect(factsOf(series, { from: 2, to: 3 })).toMatchObject({ count: 2, min: 20, lastAt: 3 })
  expect(factsOf(series, { from: 1, to: 2 })).toMatchObject({ count: 2, max: 20 })
})

test('a gap inside of a line has no value under the cross-hair', () => {
  const series = { ...line([0, 100, 200], [1, null, 3]), step: true }
  expect(valueAt(series, 150)).toBeUndefined()
  expect(valueAt(series, 250)).toBe(3)
})

test('what held before the first value is read only as long as it held', () => {
  const series = {
    ...line([100], [1]),
    held: { value: 9, at: -50, from: 0, to: 60, joins: false },
  }
  expect([-1, 0, 60, 61].map((at) => valueAt(series, at))).toEqual([undefined, 9, 9, undefined])
})

test('a silence breaks the band and the quality of a line too', () => {
  const cut = withGaps(
    { times: [0, 100], values: [1, 2], low: [0, 1], high: [2, 3], grades: [0, 2] },
    longerThan20,
  )
  expect(cut).toEqual({
    times: [0, 1, 100],
    values: [1, null, 2],
    low: [0, null, 1],
    high: [2, null, 3],
    grades: [0, 0, 2],
  })
})
