import type uPlot from 'uplot'
import { expect, test } from 'vitest'
import type { ChartSeries } from './chart-data.ts'
import { type ChartActions, chartOptions } from './chart-options.ts'
import type { ChartSetting } from './chart-setting.ts'

const line: ChartSeries = { id: 'a', name: 'Air', color: 'red', times: [1, 2], values: [3, 4] }
const setting = (
  series: readonly ChartSeries[],
  more: Partial<ChartSetting> = {},
): ChartSetting => ({
  series,
  window: { from: 0, to: 1_000 },
  zone: 'UTC',
  locale: 'en',
  colorOf: (css) => css,
  shades: [],
  ...more,
})
const silent: ChartActions = {
  cursor: () => undefined,
  zoom: () => undefined,
  zoomOut: () => undefined,
}
const optionsOf = (series: readonly ChartSeries[], more: Partial<ChartSetting> = {}) =>
  chartOptions(() => setting(series, more), silent, { width: 600, height: 200 })

test('a line is one drawn series, with its band three, with doubtful values one more', () => {
  const band = { ...line, low: [2, 3], high: [4, 5] }
  const counts = [
    [line],
    [band],
    [{ ...line, grades: [0, 1] }],
    [{ ...line, grades: [0, 0] }],
    [band, line],
  ].map((series) => optionsOf(series).series.length - 1) // the first is the time
  expect(counts).toEqual([1, 3, 2, 1, 4])
  expect(optionsOf([line, band]).bands?.[0]?.series).toEqual([3, 4])
})

test('a hidden line takes its band with it', () => {
  const hidden = { ...line, low: [2, 3], high: [4, 5], hidden: true }
  const shown = optionsOf([hidden]).series.slice(1)
  expect(shown.map(({ show }) => show)).toEqual([false, false, false])
})

test('the right axis is there only for a line that is measured on it', () => {
  expect(optionsOf([line]).axes).toHaveLength(2)
  const both = optionsOf([line, { ...line, id: 'b', axis: 'right' }])
  expect(both.axes?.map(({ side }) => side)).toEqual([undefined, 3, 1])
  expect(both.series.map(({ scale }) => scale)).toEqual([undefined, 'y', 'y2'])
})

test('an earlier period is dashed, doubtful values are dotted, areas and bars are filled', () => {
  const [, dashed] = optionsOf([{ ...line, dashed: true }]).series
  const [, , dotted] = optionsOf([{ ...line, grades: [2, 0] }]).series
  const [, plain, area, bar] = optionsOf([
    line,
    { ...line, id: 'b', kind: 'area' },
    { ...line, id: 'c', kind: 'bar' },
  ]).series
  expect([dashed?.dash, dotted?.dash, plain?.dash]).toEqual([[5, 4], [1, 5], undefined])
  expect([plain?.fill, area?.fill, bar?.fill].map((fill) => fill !== undefined)).toEqual([
    false,
    true,
    true,
  ])
})

/** A plot on which one px of the drawing is one ms. */
const plotOf = (more: object) =>
  ({ posToVal: (px: number) => px, setSelect: () => undefined, ...more }) as unknown as uPlot // the few that the hooks use

const heard = () => {
  const told: unknown[] = []
  const tell = (name: string) => (fact?: unknown) => {
    told.push([name, fact])
  }
  const actions = {
    cursor: tell('cursor'),
    zoom: tell('zoom'),
    zoomOut: tell('out'),
    mark: tell('mark'),
  }
  const { hooks } = chartOptions(() => setting([line]), actions, { width: 600, height: 200 })
  return { told, hooks }
}

test('a drag of six px or more zooms, one with Shift marks a time, a shaking click does nothing', () => {
  const { told, hooks } = heard()
  const select = (left: number, width: number, event?: object) =>
    hooks?.setSelect?.forEach((one) =>
      one?.(plotOf({ select: { left, width }, cursor: { event } })),
    )
  select(100, 5)
  expect(told).toEqual([])
  select(100, 50.4)
  select(100, 50, { shiftKey: true })
  expect(told).toEqual([
    ['zoom', { from: 100, to: 150 }],
    ['mark', { from: 100, to: 150 }],
  ])
})

test('the cross-hair is told by its time, and by nothing when the pointer has left', () => {
  const { told, hooks } = heard()
  const point = (left?: number) =>
    hooks?.setCursor?.forEach((one) => one?.(plotOf({ cursor: { left } })))
  point(42)
  point(-10)
  point(undefined)
  expect(told).toEqual([
    ['cursor', 42],
    ['cursor', undefined],
    ['cursor', undefined],
  ])
})

test('a value between two gaps is drawn as a point, as no line reaches it', () => {
  const filter = optionsOf([line]).series[1]?.points?.filter
  if (typeof filter !== 'function') throw new Error('points are chosen by a function')
  const drawn = (values: (number | null | undefined)[], shown = false) =>
    filter({ data: [[], values] } as unknown as uPlot, 1, shown, null) // the data alone is read
  expect(drawn([1, null, 2, null, 3, 4])).toEqual([0, 2])
  expect(drawn([null, 1, undefined, undefined, null])).toEqual([1])
  expect(drawn([1, undefined, 2])).toBeNull()
  expect(drawn([null, 1, null], true)).toBeNull()
})

test('charts of one key share the cross-hair, and never the zoom', () => {
  const sync = optionsOf([line], { syncKey: 'page' }).cursor?.sync
  expect(sync?.key).toBe('page')
  const isSent = (type: string) => sync?.filters?.pub?.(type, plotOf({}), 0, 0, 0, 0, 0)
  expect(['mousemove', 'mouseleave', 'mouseup', 'mousedown'].map(isSent)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(optionsOf([line]).cursor?.sync).toBeUndefined()
})
