import type { Formula } from '@longreach/formula/parse'
import {
  type Asked,
  checkedSteps,
  checkZone,
  filtersOf,
  mapOf,
  missingOf,
  pixelsOf,
  rangeOf,
  samplingOf,
  windowOf,
  Wrong,
} from './query-asked.ts'
import type { Missing } from '@longreach/formula/missing'
import type { Figure } from '@longreach/formula/figures'
import type { Window } from './query-window.ts'
import type { Steps } from '@longreach/calendar/steps'
import type { TagQuestion } from './tag-contract.ts'

/** Limit of a query without `since` that names none. */
const newestByDefault = 1_000
/** Largest limit of a query without `since`: its values are collected before they are sent. */
const mostNewest = 100_000

/** Plan of a query. All times in ms since 1970. */
export type Plan = {
  since: number
  to: number
  limit: number | undefined
  /** Without a beginning the newest values count. */
  newest: boolean
  now: number
  action: TagQuestion['action']
  /** Steps with a figure each. */
  grid: { steps: Steps; figure: Figure | undefined } | undefined
  /** Two points for each of so many steps. */
  pixels: ReturnType<typeof pixelsOf> | undefined
  missing: Missing | undefined
  /** All sources in one table of common times, as it is or for a formula. */
  merged: boolean
  timesOf: string | undefined
  map: Formula | undefined
  window: Window | undefined
  filterRaw: Formula[]
  filterPost: Formula[]
  fields: ReadonlySet<string> | undefined
  structFields: ReadonlySet<string> | undefined
  /** With a column of the values' quality. */
  quality: boolean
}
type Planned = { ok: true; plan: Plan } | { ok: false; field: string; message: string }

/** Decide from the question alone what to read and what to do with it; of more steps it is refused. */
export function planOf(question: Asked, now: number, mostSteps?: number): Planned {
  try {
    return { ok: true, plan: planned(question, now, mostSteps) }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return { ok: false, field: error.field, message: error.message }
  }
}

function planned(question: Asked, now: number, most?: number): Plan {
  checkZone(question)
  const sampling = samplingOf(question)
  const range = rangeOf(question, now, sampling?.span)
  const { from, to } = range
  const since = from ?? Number.MIN_SAFE_INTEGER
  const { limit, downsampling, action = 'FETCH' } = question
  const stepped = sampling !== undefined || downsampling !== undefined
  return {
    since,
    to,
    now,
    action,
    newest: range.newest,
    limit: stepped ? limit : fewOf(limit, from),
    merged: isMerged(question, sampling !== undefined),
    timesOf: question.alignment?.source,
    map: mapOf(question),
    window: windowOf(question, range),
    missing: missingOf(question),
    grid: sampling && {
      steps: checkedSteps(sampling.span, { ...range, since, most }, sampling.field),
      figure: sampling.figure,
    },
    quality: question.quality === true,
    pixels: downsampling && pixelsOf(question, downsampling.size, range),
    ...filtersOf(question),
  }
}

const fewOf = (limit: number | undefined, from: number | undefined) =>
  from === undefined ? Math.min(limit ?? newestByDefault, mostNewest) : limit

/** Are paths put side by side? */
const isMerged = ({ functions, format, alignment }: Asked, stepped: boolean) =>
  functions?.formula.map !== undefined ||
  format === 'table' ||
  (alignment !== undefined && (alignment.source !== undefined || !stepped))
