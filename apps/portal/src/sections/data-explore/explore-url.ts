import type { SeriesKind } from '@longreach/ui/chart-data'
import { parseRange, type TimeRange } from '@longreach/ui/time-range'
import type { Figure } from '../../lib/history.ts'
import { parseResolution, type Resolution } from '../../lib/resolution.ts'
import type { Search } from '../../lib/section.ts'
import { zoneFrom } from '../../lib/time-zone.ts'
import { all, one } from '../../lib/use-search.ts'

/** A line of the explorer as it stands in the address. */
export type Line = {
  device: string
  path: string
  axis: 'left' | 'right'
  hidden: boolean
  /** Number of the colour, from 0. */
  color: number
  /** How it is drawn; states are always bands, switches always steps. */
  kind: SeriesKind
}
/** More lines than this cannot be told apart. */
export const mostLines = 20
export const kinds = ['line', 'area', 'bar', 'step'] as const

/** Lines from the address: `<device>/<path>;right;hidden;area;c3`. What does not read as one is left out. */
export function parseLines(texts: readonly string[]): Line[] {
  const lines = texts.flatMap((text, index) => {
    const [place = '', ...options] = text.split(';')
    const cut = place.indexOf('/')
    if (cut < 1 || cut === place.length - 1) return []
    const color = Number(options.find((option) => /^c\d$/.test(option))?.slice(1) ?? index)
    return [
      {
        device: place.slice(0, cut),
        path: place.slice(cut + 1),
        axis: options.includes('right') ? ('right' as const) : ('left' as const),
        hidden: options.includes('hidden'),
        color: color % 8,
        kind: kinds.find((kind) => options.includes(kind)) ?? 'line',
      },
    ]
  })
  const keys = lines.map(lineKey)
  return lines.filter((line, index) => keys.indexOf(lineKey(line)) === index).slice(0, mostLines)
}

/** The address's text of a line; the inverse of `parseLines`. */
export const lineText = ({ device, path, axis, hidden, color, kind }: Line) =>
  [
    `${device}/${path}`,
    ...(axis === 'right' ? ['right'] : []),
    ...(hidden ? ['hidden'] : []),
    ...(kind === 'line' ? [] : [kind]),
    `c${color}`,
  ].join(';')

export const lineKey = ({ device, path }: Pick<Line, 'device' | 'path'>) => `${device}/${path}`

/** The lines with one more at the end, in the first colour that none has, or without it when it is there. */
export function toggled(lines: readonly Line[], added: Pick<Line, 'device' | 'path'>): Line[] {
  const key = lineKey(added)
  return lines.some((line) => lineKey(line) === key)
    ? lines.filter((line) => lineKey(line) !== key)
    : withLine(lines, added)
}

/** The lines with one more, unless it is there or there are as many as can be told apart. */
export function withLine(lines: readonly Line[], added: Pick<Line, 'device' | 'path'>): Line[] {
  const key = lineKey(added)
  if (lines.length >= mostLines || lines.some((line) => lineKey(line) === key)) return [...lines]
  const used = new Set(lines.map(({ color }) => color))
  const free = [0, 1, 2, 3, 4, 5, 6, 7].find((color) => !used.has(color))
  const color = free ?? lines.length % 8
  const { device, path } = added
  return [...lines, { device, path, axis: 'left', hidden: false, color, kind: 'line' }]
}

/** What one point of a line says of its stretch of time. */
export const pointFigures = [
  'average',
  'timeWeightedAverage',
  'min',
  'max',
  'median',
  'p95',
  'first',
  'last',
  'delta',
  'sum',
  'count',
] as const satisfies readonly Figure[]
export type PointFigure = (typeof pointFigures)[number]
/** Whether lines share a chart. */
export const splits = ['none', 'unit', 'series'] as const
export type Split = (typeof splits)[number]
/** How far back the period lies that is compared with. */
export const comparisons = ['none', 'day', 'week', 'window'] as const
export type Comparison = (typeof comparisons)[number]

/** What the address says about the explorer. */
export type ExploreState = {
  lines: Line[]
  range: TimeRange
  zone: string
  resolution: Resolution | 'auto'
  figure: PointFigure
  split: Split
  comparison: Comparison
  tab: string | undefined
  /** The moving range that following goes back to after a pause. */
  paused: TimeRange | undefined
}

const chosen = <T extends string>(all: readonly [T, ...T[]], text: string | undefined): T =>
  all.find((name) => name === text) ?? all[0]

/** Reads the explorer's state from the address; the last hour where it says nothing. */
export const exploreState = (search: Search): ExploreState => ({
  lines: parseLines(all(search['s'])),
  range: parseRange(one(search['range']) ?? '') ?? '1h',
  zone: zoneFrom(one(search['zone'])),
  resolution: parseResolution(one(search['res'])),
  figure: chosen(pointFigures, one(search['of'])),
  split: chosen(splits, one(search['split'])),
  comparison: chosen(comparisons, one(search['compare'])),
  tab: one(search['tab']),
  paused: parseRange(one(search['paused']) ?? ''),
})

/** The keys of the address that make up the explorer's state; a saved view keeps these. */
export const stateKeys = [
  's',
  'range',
  'zone',
  'res',
  'of',
  'split',
  'compare',
  'tab',
  'rows',
] as const

/** The part of an address that a saved view keeps. */
export const stateOf = (search: Search): Record<string, string | string[]> =>
  Object.fromEntries(
    stateKeys.flatMap((key) => {
      const value = search[key]
      return value === undefined ? [] : [[key, value]]
    }),
  )
