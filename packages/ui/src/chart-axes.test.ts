import { expect, test } from 'vitest'
import type uPlot from 'uplot'
import { timeTexts, valueAxis, valueRange } from './chart-axes.ts'
import type { ChartSeries } from './chart-data.ts'
import type { ChartSetting } from './chart-setting.ts'

const at = Date.UTC(2026, 10, 23, 8, 5)
const texts = (locale: string, stepMs = 300_000) =>
  timeTexts([at, at + stepMs], stepMs, { locale, zone: 'UTC' })

test('times below a chart read as everywhere else in the language', () => {
  const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ')
  expect(texts('en-US').map(plain)).toEqual(['8:05 AM\nNov 23', '8:10 AM'])
  expect(texts('de')).toEqual(['08:05\n23. Nov.', '08:10'])
  expect(texts('en-US-u-hc-h23')[1]).toBe('08:10')
  expect(plain(texts('en-US', 5_000)[1])).toBe('8:05:05 AM')
  expect(texts('de', 250)[1]).toBe('08:05:00,250')
})

const line: ChartSeries = { id: 'a', name: 'Air', color: 'red', times: [], values: [] }
const setting =
  (series: readonly ChartSeries[], more: Partial<ChartSetting> = {}) =>
  (): ChartSetting => ({
    series,
    window: { from: 0, to: 1 },
    zone: 'UTC',
    locale: 'en',
    colorOf: (css) => css,
    shades: [],
    ...more,
  })
const none = undefined as unknown as uPlot // the range does not read the plot
function rangeOf(series: readonly ChartSeries[], [min, max]: readonly (number | null)[]) {
  const range = valueRange(setting(series), false)
  if (typeof range !== 'function') throw new Error('the range follows the values')
  return range(none, min as number, max as number, 'y').map((end) => Number(end?.toFixed(4)))
}

test.each([
  ['some air above and below', [line], [10, 20], [9.2, 20.8]],
  ['room around one that never moves', [line], [100, 100], [95, 105]],
  ['half a unit around zero', [line], [0, 0], [-0.5, 0.5]],
  ['some range when there is no value', [line], [null, null], [0, 1]],
  ['bars that stand on zero', [{ ...line, kind: 'bar' as const }], [10, 20], [0, 21.6]],
  ['bars that hang from zero', [{ ...line, kind: 'bar' as const }], [-20, -10], [-21.6, 0]],
  ['a place for each word of a state', [{ ...line, states: ['Off', 'On'] }], [0, 0], [-0.25, 1.25]],
])('the axis of values leaves %s', (_, series, ends, range) =>
  expect(rangeOf(series, ends)).toEqual(range),
)

test('a hidden bar does not hold the axis at zero', () => {
  const hidden: ChartSeries = { ...line, id: 'b', kind: 'bar', hidden: true }
  expect(rangeOf([line, hidden], [10, 20])).toEqual([9.2, 20.8])
})

function axisTexts(series: readonly ChartSeries[], [min, max, step]: [number, number, number]) {
  const { splits, values } = valueAxis(setting(series), false)
  if (typeof splits !== 'function' || typeof values !== 'function') throw new Error('as functions')
  return values(none, splits(none, 0, min, max, step, 0), 0, 0, step)
}

test('numbers of an axis are multiples of its step, with as many digits as the step needs', () => {
  expect(axisTexts([line], [0.1, 0.65, 0.25])).toEqual(['0.25', '0.5'])
  expect(axisTexts([line], [-3, 3, 2])).toEqual(['-2', '0', '2'])
  expect(axisTexts([line], [990, 2_010, 500])).toEqual(['1,000', '1,500', '2,000'])
})

test('an axis of states has their words, unless a number is measured on it too', () => {
  const states = { ...line, states: ['Off', 'On'] }
  expect(axisTexts([states], [-0.25, 1.25, 0.5])).toEqual(['Off', 'On'])
  expect(axisTexts([states, line], [0, 1, 1])).toEqual(['0', '1'])
})

test('in steps of days there is no clock, in steps of half a year there is a year', () => {
  const day = 86_400_000
  expect(texts('de', day)).toEqual(['23. Nov.', '24. Nov.'])
  expect(texts('en', 180 * day)[0]).toBe('Nov 23, 2026')
})
