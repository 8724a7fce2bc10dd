import { expect, test } from 'vitest'
import { labelSizes, sheetsOf, sizeNames } from './label-sizes.ts'

const label = (n: number) => ({
  deviceId: `${n}`,
  label: `Device ${n}`,
  serialNumber: '',
  activationKey: '',
})

test('every sheet of labels fits on A4', () => {
  for (const name of sizeNames) {
    const { width, height, columns, rows, top, left, gap } = labelSizes[name]
    expect(left + columns * width + (columns - 1) * gap).toBeLessThanOrEqual(210)
    expect(top + rows * height).toBeLessThanOrEqual(297)
  }
})

test('labels fill sheet after sheet behind the places that are used up', () => {
  const labels = Array.from({ length: 10 }, (_, n) => label(n))
  const sheets = sheetsOf(labels, '99.1x67.7', 3)
  expect(sheets.map(({ length }) => length)).toEqual([8, 5])
  expect(sheets[0]?.slice(0, 4)).toEqual([undefined, undefined, undefined, label(0)])
  expect(sheetsOf([], '70x37', 0)).toEqual([])
})
