import { expect, test } from 'vitest'
import { factsOf, isBlank, valueAt } from './chart-data.ts'
import { isDoubtful, partedByGrade } from './chart-grades.ts'
import { drawnPoints } from './chart-held.ts'
import { alignedNumber, seriesDigits } from './number-format.ts'
import { stretchesOf } from './state-lanes.ts'

const window = { from: 0, to: 100 }
const line = { id: 'a', name: 'a', color: 'red', times: [50], values: [5] }
const held = { value: 3, at: -900, from: 0, to: 50, joins: true }

test('what held before the window is drawn and read, and never counted [R-16]', () => {
  const one = { ...line, held, until: 90 }
  expect(drawnPoints(one)).toMatchObject({ times: [0, 50, 90], values: [3, 5, 5] })
  expect(factsOf(one, window)).toMatchObject({ count: 1, mean: 5 })
  expect(valueAt(one, 20)).toBe(3)
  const blank = { ...line, times: [], values: [] }
  expect(isBlank({ ...blank, held }, window)).toBe(false)
  const ended = { ...held, to: 30, joins: false }
  expect(drawnPoints({ ...line, held: ended })).toMatchObject({
    times: [0, 30, 31, 50],
    values: [3, 3, null, 5],
  })
  const states = stretchesOf({ ...blank, states: ['x', 'y', 'z', 'Run'], held }, window, {
    least: 1,
  })
  expect(states).toEqual([{ from: 0, to: 50, label: 'Run', state: 3 }])
})

test('a stretch is dotted when one of its ends is not good [R-16]', () => {
  const graded = { values: [1, 2, 3, null, 4], grades: [0, 0, 2, 0, 0] }
  expect(isDoubtful(graded)).toBe(true)
  expect(partedByGrade(graded)).toEqual({
    good: [1, 2, null, null, 4],
    doubtful: [null, 2, 3, null, null],
  })
  expect(isDoubtful({ grades: [0, 0] })).toBe(false)
})

test('numbers of a series have the same digits, as many as tell them apart', () => {
  expect(seriesDigits([20, 21, 23])).toBe(0)
  expect(seriesDigits([20.5, 21.25, null])).toBe(2)
  expect(seriesDigits([1 / 3, 2 / 3])).toBe(4)
  expect(seriesDigits([1013.21345, 1013.21911])).toBe(5)
  expect(seriesDigits([])).toBe(0)
  expect(alignedNumber(20.5, 'de', 2)).toBe('20,50')
})

test('of bars only the doubtful ones are drawn as such, not their neighbours', () => {
  expect(partedByGrade({ values: [1, 2, 3], grades: [0, 1, 0], kind: 'bar' })).toEqual({
    good: [1, null, 3],
    doubtful: [null, 2, null],
  })
})

test('a value that still holds keeps its quality and its band', () => {
  const drawn = drawnPoints({ ...line, low: [4], high: [6], grades: [2], until: 80 })
  expect(drawn).toEqual({
    times: [50, 80],
    values: [5, 5],
    low: [4, 5],
    high: [6, 5],
    grades: [2, 2],
  })
})

test('a line that ends in a gap, or that is newer than what is known, is not drawn on', () => {
  expect(drawnPoints({ times: [50], values: [null], until: 80 })).toEqual({
    times: [50],
    values: [null],
  })
  expect(drawnPoints({ times: [50], values: [5], until: 40 })).toEqual({ times: [50], values: [5] })
})

test('a line without a held value is drawn as it is, without a copy', () => {
  expect(drawnPoints(line)).toBe(line)
})
