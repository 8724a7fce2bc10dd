import { chartRuns } from '@longreach/telemetry/chart-runs'
import { type Formula, parseFormula } from '@longreach/formula/parse'
import { type Missing, usualMissing } from '@longreach/formula/missing'
import type { Figure } from '@longreach/formula/figures'
import { stepsOf } from '@longreach/calendar/steps'
import { type Span, spanMs } from '@longreach/calendar/units'
import { readTime } from '../times/read-time.ts'
import type { Window } from './query-window.ts'
import { isTimezone } from '@longreach/calendar/zone-offset'
import type { TagQuestion } from './tag-contract.ts'

/** Steps that one answer may have for each path. */
export const mostSteps = 100_000
/** Clocks of machines may be ahead this far; `ingest` refuses more. */
const aheadMs = 86_400_000

/** Thrown by the parts of a plan and caught by `planOf`: a question that cannot be. */
export class Wrong extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

export type Asked = Partial<TagQuestion>

export function checkZone({ timezone }: Asked) {
  if (timezone === undefined || isTimezone(timezone)) return
  throw new Wrong('timezone', `${timezone} is no time zone; Europe/Rome is one`)
}

/** Of when the question is; `newest`: it says no beginning. */
type Range = {
  from: number | undefined
  to: number
  newest: boolean
  timezone: string | undefined
}
type SampledSpan = Span & { extent: number | undefined }

function timeOf(question: Asked, field: 'since' | 'to' | 'sinceAfter', now: number) {
  const raw = question[field]
  if (raw === undefined || typeof raw === 'boolean') return undefined
  const time = readTime(raw, now)
  if (time !== undefined && Math.abs(time) <= 8.64e15) return Math.ceil(time)
  throw new Wrong(field, `${field} is no time; ISO 8601, ms since 1970 or now-15m are read`)
}

function beginningOf(question: Asked, now: number) {
  const since = timeOf(question, 'since', now)
  const after = question.sinceAfter === true ? since : timeOf(question, 'sinceAfter', now)
  return after === undefined ? since : Math.max(after + 1, since ?? -Infinity)
}

/** The range of a question. */
export function rangeOf(question: Asked, now: number, span: SampledSpan | undefined): Range {
  const from = beginningOf(question, now)
  const to = timeOf(question, 'to', now)
  const { timezone } = question
  if (from !== undefined && to !== undefined && from > to) {
    throw new Wrong('since', 'since lies after to')
  }
  const reach = windowReach(question)
  if (from === undefined && !span && reach !== undefined) {
    const end = to ?? now + 1
    return { from: Math.floor(end - reach), to: end, newest: false, timezone }
  }
  const newest = from === undefined
  if (span) return { ...steppedRange(span, from, to ?? now + 1), newest, timezone }
  // Without an end also values of a clock that runs ahead are found.
  return { from, to: to ?? now + (question.downsampling ? 1 : aheadMs), newest, timezone }
}

/** Time that the stretches of a window reach back, where the query names their number. */
function windowReach(question: Asked) {
  const span = windowSpan(question)
  const extent = question.aggregation?.extent
  return span && extent !== undefined ? spanMs(span) * extent : undefined
}

function steppedRange(span: SampledSpan, from: number | undefined, to: number) {
  if (from !== undefined && from > to) throw new Wrong('since', 'since lies in the future')
  if (from !== undefined) return { from, to }
  if (span.extent === undefined) {
    throw new Wrong('since', 'an aggregation needs since, or an extent')
  }
  return { from: Math.floor(to - spanMs(span) * span.extent), to }
}

type SamplingAsked = { span: SampledSpan; figure: Figure | undefined; field: string }

/** Steps of a query, which are named in its aggregation or its alignment. */
export function samplingOf(question: Asked): SamplingAsked | undefined {
  const { aggregation, alignment, downsampling } = question
  const simple = aggregation?.sampling
  const aligned = alignment?.sampling
  if (simple && aligned) {
    throw new Wrong('alignment', 'the aggregation has a sampling already; give one of the two')
  }
  const span = simple ?? aligned
  if (!span) return void checkUnsampled(question)
  if (downsampling) {
    throw new Wrong('downsampling', 'an aggregation has steps already; leave downsampling out')
  }
  return {
    span: { size: span.size, unit: span.unit, extent: span.extent },
    figure: simple ? aggregation.figure : alignment?.aggregation,
    field: simple ? 'aggregation' : 'alignment',
  }
}

function checkUnsampled({ aggregation }: Asked) {
  if (aggregation?.figure && aggregation.mode === undefined) {
    throw new Wrong('aggregation', 'needs a sampling, as {"size":1,"unit":"hours"}, or a mode')
  }
}

type Stretch = {
  since: number
  to: number
  timezone: string | undefined
  most?: number | undefined
}

/** The steps, unless they are too many. */
export function checkedSteps(span: Span, range: Stretch, field: string) {
  const { most = mostSteps } = range
  if ((range.to - range.since) / spanMs(span) > most) {
    throw new Wrong(field, `over ${most} steps; take longer ones or a shorter range`)
  }
  return stepsOf(span, range)
}

/** Width of a pixel in ms. */
export function pixelsOf({ limit }: Asked, size: number, { from, to }: Range) {
  if (limit !== undefined) {
    throw new Wrong('limit', 'downsampling says how many values there are; leave limit out')
  }
  if (from === undefined) throw new Wrong('since', 'downsampling needs since')
  return { size, ...chartRuns({ since: from, to, size }) }
}

/** Window that is applied after alignment and formula. */
export function windowOf(question: Asked, range: Range): Window | undefined {
  const { aggregation, functions } = question
  const mode = aggregation?.mode
  const reduce = functions?.formula.reduce
  if (mode === 'DISABLED' || (mode === undefined && !reduce)) return undefined
  const figure = reduce ?? windowFigure(question)
  const span = windowSpan(question)
  if (mode !== 'MOVING') return { mode: 'SCALAR', figure, steps: scalarSteps(span, range) }
  if (!span) throw new Wrong('aggregation', 'MOVING needs a size and a unit')
  return { mode, figure, width: spanMs(span) }
}

/** With a sampling the type belongs to the steps. */
const windowFigure = ({ aggregation: { sampling, figure } = {} }: Asked): Figure =>
  sampling || !figure ? { name: 'average' } : figure

const windowSpan = ({ aggregation: { size = 1, unit } = {} }: Asked): Span | undefined =>
  unit && { size, unit }

function scalarSteps(span: Span | undefined, { from, to, timezone }: Range) {
  if (from === undefined) throw new Wrong('since', 'SCALAR and reduce need since')
  if (!span) return { starts: [from], to }
  return checkedSteps(span, { since: from, to, timezone }, 'aggregation')
}

export function missingOf({ alignment }: Asked): Missing | undefined {
  if (!alignment) return undefined
  const { fillPolicy: fill, paddingPolicy: padding } = alignment.missingValues ?? {}
  return { fill: fill ?? usualMissing.fill, padding: padding ?? usualMissing.padding }
}

/** The formula that makes one value of each row. */
export function mapOf({ functions }: Asked): Formula | undefined {
  const map = functions?.formula.map
  return map === undefined ? undefined : formulaOf(map, 'functions.formula.map')
}

/** Conditions on raw values and on what is answered, and what of it is answered. */
export function filtersOf({ filterCondition, filterRawData, filterStructFields, filters }: Asked) {
  const plain = conditions(filterCondition, 'filterCondition')
  const before = conditions(
    filters?.beforeAlignment?.condition,
    'filters.beforeAlignment.condition',
  )
  const after = conditions(filters?.post?.condition, 'filters.post.condition')
  const late = filterRawData === false
  return {
    filterRaw: late ? before : [...plain, ...before],
    filterPost: late ? [...plain, ...after] : after,
    fields: setOf(filters?.post?.fields),
    structFields: setOf(filterStructFields),
  }
}

const conditions = (text: string | undefined, field: string) =>
  text === undefined || text === '' ? [] : [formulaOf(text, field)]

const setOf = (names: readonly string[] | undefined): ReadonlySet<string> | undefined =>
  names && names.length > 0 ? new Set(names) : undefined

function formulaOf(text: string, field: string): Formula {
  const parsed = parseFormula(text)
  if (parsed.ok) return parsed.formula
  const { message, startLineNumber, startColumn } = parsed.issues[0]
  throw new Wrong(field, `line ${startLineNumber}, column ${startColumn}: ${message}`)
}
