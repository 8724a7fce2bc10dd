import { dayMs, type Span, spanMs, timeUnits } from '@longreach/calendar/units'
import { type Figure, figureOf } from './figures.ts'

/** Units of time in the settings of a formula. */
export const windowUnits = timeUnits

/** Time settings of a preset's formula. */
export type FormulaWindows = {
  /** Interval to which inputs are sampled first. */
  sampling?: Span | undefined
  /**
   * Aggregation of an input in an interval; by default numbers are averaged, of other values the
   * last one is taken.
   */
  figure?: Figure | undefined
  /** Aggregation of the results: one for each window, or a moving one. */
  window?: { mode: 'SCALAR' | 'MOVING'; figure: Figure; span: Span } | undefined
}
/** Result of reading; `ignored` are fields that are invalid or have no effect. */
type ReadWindows = { windows?: FormulaWindows; ignored: string[] }

type Tree = Record<string, unknown>

/** Time settings in a formula's `datalink.source`. */
export function readWindows(source: unknown): ReadWindows {
  const { alignment, aggregation, functions } = toTree(source)
  const ignored: string[] = []
  const sampled = samplingOf(toTree(alignment), ignored)
  const formula = toTree(toTree(functions)['formula'])
  // The formula text itself covers these fields.
  if (!isNothing(toTree(functions)['reduce'])) ignored.push('functions.reduce')
  const window = windowOf(toTree(aggregation), formula['reduce'], { sampled, ignored })
  const { sampling, figure } = sampled ?? {}
  const windows = {
    ...(sampling && { sampling }),
    ...(figure && { figure }),
    ...(window && { window }),
  }
  return { ignored, ...(Object.keys(windows).length > 0 && { windows }) }
}

type Sampled = { sampling: Span; extent: number; figure?: Figure }

function samplingOf({ sampling, aggregation }: Tree, ignored: string[]): Sampled | undefined {
  const figure = figureIn(aggregation)
  const span = isNothing(sampling) ? undefined : spanOf(toTree(sampling))
  if (!span && !isNothing(sampling)) ignored.push('alignment.sampling')
  // Without sampling there is nothing to aggregate.
  if (figure === 'unknown' || (figure && !span)) ignored.push('alignment.aggregation')
  if (!span) return undefined
  const extent = positive(toTree(sampling)['extent']) ?? 1
  return { sampling: span, extent, ...(typeof figure === 'object' && { figure }) }
}

type Around = { sampled: Sampled | undefined; ignored: string[] }
type Mode = 'SCALAR' | 'MOVING' | 'DISABLED'
type Asked<Wrong> = {
  reduce: Figure | Wrong | undefined
  own: Figure | Wrong | undefined
  mode: Mode | Wrong | undefined
}
const places = {
  reduce: 'functions.formula.reduce',
  own: 'aggregation',
  mode: 'aggregation',
} as const

function windowOf(aggregation: Tree, reduced: unknown, around: Around): FormulaWindows['window'] {
  const asked = {
    reduce: figureIn(reduced),
    own: figureIn(aggregation),
    mode: modeOf(aggregation),
  }
  if (isKnown(asked)) return knownWindow(aggregation, asked, around)
  const wrong = (['reduce', 'own', 'mode'] as const).filter((key) => asked[key] === 'unknown')
  around.ignored.push(...new Set(wrong.map((key) => places[key])))
  return undefined
}

const isKnown = (asked: Asked<'unknown'>): asked is Asked<never> =>
  !Object.values(asked).includes('unknown')

function knownWindow(
  aggregation: Tree,
  { reduce, own, mode }: Asked<never>,
  { sampled, ignored }: Around,
): FormulaWindows['window'] {
  if (mode === 'DISABLED') return undefined
  const figure = reduce ?? own
  // An aggregation needs a mode; without either there is none.
  const stretch = mode || reduce ? stretchOf(aggregation, mode, sampled) : undefined
  if (!stretch && (mode || figure)) ignored.push(reduce ? places.reduce : places.own)
  return stretch && { ...stretch, figure: figure ?? { name: 'average' } }
}

function stretchOf(
  aggregation: Tree,
  mode: 'SCALAR' | 'MOVING' | undefined,
  sampled: Sampled | undefined,
) {
  const span = spanOf(aggregation)
  if (span) return { mode: mode ?? ('SCALAR' as const), span }
  if (!sampled) return undefined
  // Number of latest steps in a window.
  const { size, unit } = sampled.sampling
  return { mode: 'MOVING' as const, span: { size: size * sampled.extent, unit } }
}

function modeOf({ mode }: Tree): Mode | 'unknown' | undefined {
  if (mode === undefined || mode === null) return undefined
  return modes.find((one) => one === mode) ?? 'unknown'
}
const modes = ['SCALAR', 'MOVING', 'DISABLED'] as const

const toTree = (raw: unknown): Tree =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Tree) : {}
const isNothing = (raw: unknown) =>
  raw === undefined || raw === null || (typeof raw === 'object' && Object.keys(raw).length === 0)
const positive = (raw: unknown) =>
  typeof raw === 'number' && raw > 0 && raw <= 1_000_000_000 ? raw : undefined

function spanOf({ size = 1, unit }: Tree): Span | undefined {
  const length = positive(size)
  const plural = String(unit).endsWith('s') ? unit : `${String(unit)}s`
  const known = timeUnits.find((one) => one === plural)
  return known && length !== undefined ? { size: length, unit: known } : undefined
}

/** Aggregation from its name, `{type, param}` or `{operator, param}`. */
function figureIn(raw: unknown): Figure | 'unknown' | undefined {
  const { type, operator = type, param } = typeof raw === 'string' ? { type: raw } : toTree(raw)
  if (operator === undefined || operator === null) return undefined
  if (typeof operator !== 'string') return 'unknown'
  return figureOf(operator, typeof param === 'number' ? param : undefined) ?? 'unknown'
}

/** 1970-01-05 was the first Monday. */
const firstMonday = 4 * dayMs

/**
 * Step that contains a time. Steps begin at multiples of their length in UTC; weeks begin on
 * Mondays.
 */
export function stepAt(span: Span, t: number): { start: number; end: number } {
  if (span.unit === 'months' || span.unit === 'years') return monthsAt(span, t)
  const width = spanMs(span)
  const origin = span.unit === 'weeks' ? firstMonday : 0
  const start = Math.floor((t - origin) / width) * width + origin
  return { start, end: start + width }
}

function monthsAt({ size, unit }: Span, t: number) {
  const count = Math.max(1, Math.round(unit === 'years' ? size * 12 : size))
  const date = new Date(t)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
  const first = Math.floor(month / count) * count
  return { start: utcMonth(first), end: utcMonth(first + count) }
}

/** Date.UTC maps years below 100 to the 20th century. */
const utcMonth = (month: number) =>
  new Date(0).setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
