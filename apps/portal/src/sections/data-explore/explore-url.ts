import { parseRange, type TimeRange } from '@longreach/ui/time-range'
import type { Figure } from '../../parts/history/history.ts'
import { parseResolution, type Resolution } from '../../parts/history/resolution.ts'
import type { Search } from '../../parts/pages/section.ts'
import { zoneFrom } from '../../parts/look/time-zone.ts'
import { all, one } from '../../parts/pages/use-search.ts'
import { type FormulaLine, parseFormulas } from './explore-formulas.ts'
import { freeColor, type LineLook, lookTexts, parseLook } from './explore-look.ts'

/** A line of the explorer as it stands in the address. */
export type Line = LineLook & {
  device: string
  path: string
  /** Name of the line in formulas. */
  letter: string
}
/** More lines than this cannot be told apart. */
export const mostLines = 20

/** Lines from the address: `<device>/<path>;right;hidden;area;c3;va`. What does not read as one is left out. */
export function parseLines(texts: readonly string[]): Line[] {
  const lines = texts.flatMap((text, index) => {
    const [place = '', ...options] = text.split(';')
    const cut = place.indexOf('/')
    if (cut < 1 || cut === place.length - 1) return []
    const letter = options.find((option) => /^v[a-t]$/.test(option))?.slice(1) ?? ''
    const [device, path] = [place.slice(0, cut), place.slice(cut + 1)]
    return [{ device, path, ...parseLook(options, index), letter }]
  })
  const keys = lines.map(lineKey)
  const once = lines.filter((line, index) => keys.indexOf(lineKey(line)) === index)
  return lettered(once.slice(0, mostLines))
}

const letters = 'abcdefghijklmnopqrst'

/** Every line with a letter of its own; those that have one keep it. */
function lettered(lines: readonly Line[]): Line[] {
  const used = new Set<string>()
  const own = lines.map(({ letter }) => {
    if (letter === '' || used.has(letter)) return ''
    used.add(letter)
    return letter
  })
  return lines.map((line, index) => {
    const letter = own[index] || freeLetter(used)
    used.add(letter)
    return { ...line, letter }
  })
}

const freeLetter = (used: ReadonlySet<string>) => [...letters].find((one) => !used.has(one)) ?? ''

/** The address's text of a line; the inverse of `parseLines`. */
export const lineText = (line: Line) =>
  [`${line.device}/${line.path}`, ...lookTexts(line), `v${line.letter}`].join(';')

export const lineKey = ({ device, path }: Pick<Line, 'device' | 'path'>) => `${device}/${path}`

type Added = Pick<Line, 'device' | 'path'>

/** The lines with one more at the end, in the first colour that none has, or without it when it is there. */
export function toggled(lines: readonly Line[], added: Added, also: readonly LineLook[] = []) {
  const key = lineKey(added)
  return lines.some((line) => lineKey(line) === key)
    ? lines.filter((line) => lineKey(line) !== key)
    : withLine(lines, added, also)
}

/** The lines with one more, unless it is there or there are as many as can be told apart. */
export function withLine(
  lines: readonly Line[],
  { device, path }: Added,
  also: readonly LineLook[] = [],
): Line[] {
  const key = lineKey({ device, path })
  if (lines.length >= mostLines || lines.some((line) => lineKey(line) === key)) return [...lines]
  const letter = freeLetter(new Set(lines.map((line) => line.letter)))
  const color = freeColor([...lines, ...also])
  return [...lines, { device, path, axis: 'left', hidden: false, color, kind: 'line', letter }]
}

/** Figures of the values in one bucket of time that a point of a line can show. */
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
type PointFigure = (typeof pointFigures)[number]
/** Rules by which lines are divided among charts: one chart, one for each unit, one for each line. */
export const splits = ['none', 'unit', 'series'] as const
export type Split = (typeof splits)[number]
/** Distances in time to the earlier period that the lines are compared with. */
export const comparisons = ['none', 'day', 'week', 'window'] as const
export type Comparison = (typeof comparisons)[number]

/** State of the explorer as it stands in the address. */
export type ExploreState = {
  lines: Line[]
  formulas: FormulaLine[]
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
  formulas: parseFormulas(all(search['f'])),
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
  'f',
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
