import type uPlot from 'uplot'
import { afterEach, expect, test, vi } from 'vitest'
import { drawBehind } from './chart-behind.ts'
import type { TimeWindow } from './time-range.ts'

const hour = 3_600_000
const at = (text: string) => Date.parse(text)
afterEach(() => vi.unstubAllGlobals())

/** Boxes and texts that are drawn behind the lines of a window; the plot is as wide as the window has hours. */
function drawnBehind(
  window: TimeWindow,
  { zone = 'Europe/Berlin', shades = [] }: { zone?: string; shades?: TimeWindow[] } = {},
) {
  vi.stubGlobal('devicePixelRatio', 1)
  const drawn = { boxes: [] as number[][], texts: [] as string[] }
  const nothing = () => undefined
  const ctx = {
    save: nothing,
    restore: nothing,
    beginPath: nothing,
    rect: nothing,
    clip: nothing,
    moveTo: nothing,
    lineTo: nothing,
    stroke: nothing,
    setLineDash: nothing,
    fillRect: (left: number, _top: number, width: number) => drawn.boxes.push([left, width]),
    fillText: (text: string) => drawn.texts.push(text),
  }
  const plot = {
    ctx,
    bbox: { left: 0, top: 0, width: 100, height: 50 },
    valToPos: (value: number) => (value - window.from) / hour,
  } as unknown as uPlot // what is used to draw behind
  const colorOf = (css: string) => css
  drawBehind(plot, { series: [], window, zone, locale: 'en', colorOf, shades })
  return drawn
}

const week = (from: string) => ({ from: at(from), to: at(from) + 7 * 24 * hour })

test('a day that the change of the clock makes shorter or longer is marked with its length', () => {
  expect(drawnBehind(week('2026-03-26T00:00:00Z')).texts).toEqual(['23 h'])
  expect(drawnBehind(week('2026-10-22T00:00:00Z')).texts).toEqual(['25 h'])
  expect(drawnBehind(week('2026-06-01T00:00:00Z')).texts).toEqual([])
  expect(drawnBehind(week('2026-03-26T00:00:00Z'), { zone: 'UTC' }).texts).toEqual([])
})

test('a change of half an hour is marked as such', () => {
  const { texts } = drawnBehind(week('2026-10-01T00:00:00Z'), { zone: 'Australia/Lord_Howe' })
  expect(texts).toEqual(['23.5 h'])
})

test('in a window of months an hour is narrower than its mark, and is not marked', () => {
  const from = at('2026-03-01T00:00:00Z')
  expect(drawnBehind({ from, to: from + 60 * 24 * hour }).texts).toEqual([])
})

test('times without a connection are shaded from their start to their end', () => {
  const window = week('2026-06-01T00:00:00Z')
  const shades = [{ from: window.from + 2 * hour, to: window.from + 5 * hour }]
  expect(drawnBehind(window, { shades }).boxes).toEqual([[2, 3]])
})
