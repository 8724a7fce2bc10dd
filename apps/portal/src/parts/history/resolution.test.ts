import { expect, test } from 'vitest'
import {
  bucketFor,
  chooseResolution,
  lengthIn,
  parseResolution,
  resolutionText,
} from './resolution.ts'

const hours = (count: number) => ({ from: 0, to: count * 3_600_000 })

test('a month on a wide chart is drawn in hours, not in seconds', () => {
  expect(bucketFor(hours(24 * 30), 1000)).toBe(3_600_000)
  expect(bucketFor(hours(24), 1000)).toBe(120_000)
})

test('a narrower chart gets larger buckets', () => {
  expect(bucketFor(hours(24), 200)).toBeGreaterThan(bucketFor(hours(24), 1200))
})

test('a short window shows the stored points', () => {
  expect(chooseResolution('auto', hours(0.25), { pixels: 1000 })).toBe('raw')
  expect(chooseResolution('auto', hours(24), { pixels: 1000 })).toBe(120_000)
})

test('raw is given under the point budget only', () => {
  expect(chooseResolution('raw', hours(5), { pixels: 1000 })).toBe('raw')
  expect(chooseResolution('raw', hours(24 * 30), { pixels: 1000 })).toBe(3_600_000)
})

test('a resolution survives the way through an address', () => {
  for (const one of ['auto', 'raw', 300_000] as const)
    expect(parseResolution(resolutionText(one))).toBe(one)
  expect(parseResolution('7')).toBe('auto')
})

test('a length is told in its largest whole unit', () => {
  expect(lengthIn(300_000)).toEqual({ count: 5, unit: 'minute' })
  expect(lengthIn(86_400_000)).toEqual({ count: 1, unit: 'day' })
  expect(lengthIn(15_000)).toEqual({ count: 15, unit: 'second' })
})
