import { expect, test } from 'vitest'
import { unitsOf } from './modbus-scan-rules.ts'

test.each([
  ['1', [1]],
  ['1, 3-5', [1, 3, 4, 5]],
  ['2,2', [2]],
  ['a, 300', []],
  ['254-260', [254, 255]],
])('%s names units', (text, units) => {
  expect(unitsOf(text)).toEqual(units)
})

test('no more units than one scan takes', () => {
  expect(unitsOf('0-255')).toHaveLength(32)
})
