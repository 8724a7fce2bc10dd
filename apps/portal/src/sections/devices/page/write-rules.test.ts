import { expect, test } from 'vitest'
import { isLargeChange, isNearer, isSame, readWish, wishText } from './write-rules.ts'

test.each([
  ['12,5', { value: 12.5 }],
  ['12.5', { value: 12.5 }],
  [' -3e2 ', { value: -300 }],
  ['1.234,5', { problem: 'devices.write.noNumber' }],
  ['', { problem: 'devices.write.noNumber' }],
  ['12 bar', { problem: 'devices.write.noNumber' }],
])('%j as a number reads %j', (text, wish) =>
  expect(readWish(text, { type: 'double' })).toEqual(wish),
)

test('a whole number keeps to 32 bits, as devices hold it', () => {
  expect(readWish('7', { type: 'integer' })).toEqual({ value: 7 })
  expect(readWish('7.5', { type: 'integer' })).toEqual({ problem: 'devices.write.noInteger' })
  expect(readWish('3000000000', { type: 'integer' })).toEqual({ problem: 'devices.write.tooLarge' })
})

test('limits of the tag are kept', () => {
  const limits = { type: 'double', min: 0, max: 250 }
  expect(readWish('-1', limits)).toEqual({ problem: 'devices.write.belowLimit' })
  expect(readWish('251', limits)).toEqual({ problem: 'devices.write.aboveLimit' })
})

test('switches, texts and structures are read as such', () => {
  expect(readWish('true', { type: 'boolean' })).toEqual({ value: true })
  expect(readWish('=1', { type: 'string' })).toEqual({ value: '=1' })
  expect(readWish('{"a":1}', { type: 'struct' })).toEqual({ value: { a: 1 } })
  expect(readWish('{', { type: 'struct' })).toEqual({ problem: 'devices.write.noJson' })
})

test('the field starts with the value that the device has', () => {
  expect([wishText(undefined), wishText(1.5), wishText(false), wishText([1])]).toEqual([
    '',
    '1.5',
    'false',
    '[1]',
  ])
})

test('a value that came back in single precision is the same', () => {
  expect(isSame(0.1, Math.fround(0.1))).toBe(true)
  expect(isSame(0.1, 0.2)).toBe(false)
  expect(isSame(true, true)).toBe(true)
})

test.each([
  ['more than half of the value', { from: 185, to: 9_999, span: undefined }, true],
  ['a usual step', { from: 185, to: 190, span: 8 }, false],
  ['far beyond what it usually moves', { from: 185, to: 200, span: 1 }, true],
  ['half of the value', { from: 100, to: 150, span: undefined }, false],
  ['from nothing, nothing known', { from: 0, to: 5, span: undefined }, false],
  ['no number', { from: 'a', to: 'b', span: undefined }, false],
])('without limits, %s: whether %j is large is %s', (_, change, large) => {
  expect(isLargeChange(change, {})).toBe(large)
  expect(isLargeChange(change, { min: 0, max: 10_000 })).toBe(false)
})

test('a number that lies nearer to what the person reads than to what the device has may be of another unit', () => {
  const oven = { live: 185, read: 365 }
  expect([365, 300, 276].map((to) => isNearer(to, oven))).toEqual([true, true, true])
  expect([185, 190, 274, 20].map((to) => isNearer(to, oven))).toEqual([false, false, false, false])
  expect(isNearer(185, { live: 365, read: 185 })).toBe(true)
  expect(isNearer(365, { live: 185, read: 185 })).toBe(false)
  expect(isNearer(365, { live: undefined, read: undefined })).toBe(false)
})
