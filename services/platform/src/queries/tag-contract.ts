import { flag } from '@longreach/kit/contract'
import { z } from 'zod'
import { figureNames, figureOf } from '@longreach/formula/figures'
import { fillPolicies, paddingPolicies } from '@longreach/formula/missing'
import { time } from '../times/time-contract.ts'

/** Several series in columns: rows are `[time, value]`, times in ms since 1970 or ISO 8601 on request. */
export const PlatformTags = z.object({
  deviceId: z.string(),
  modelPath: z.string(),
  /** As the source was named in the question. */
  tagName: z.string().optional(),
  types: z.array(z.string()),
  header: z.array(z.string()),
  data: z.array(z.array(z.unknown())),
})
export type PlatformTags = z.output<typeof PlatformTags>

/** An object, or its JSON text as query strings carry it; what says nothing is left out. */
const jsonText = <T extends z.ZodType>(schema: T) =>
  z
    .preprocess((raw) => {
      if (isNothing(raw)) return undefined
      if (typeof raw !== 'string') return raw
      try {
        return JSON.parse(raw) as unknown
      } catch {
        return raw // no JSON: the schema says what it wants
      }
    }, schema.optional())
    .optional()

const isNothing = (raw: unknown) =>
  ['', null].includes(raw as string) ||
  (typeof raw === 'object' && Object.keys(raw ?? {}).length === 0) // an empty list or object

const units = [
  'milliseconds',
  'seconds',
  'minutes',
  'hours',
  'days',
  'weeks',
  'months',
  'years',
] as const
const Unit = z
  .string()
  .transform((unit) => (unit.endsWith('s') ? unit : `${unit}s`))
  .pipe(z.enum(units))
const size = z.number().positive().max(1_000_000_000)

/** Steps of time. `extent`: how many of them reach back from `to`, where no `since` is given. */
const Sampling = z.object({ size: size.default(1), unit: Unit, extent: size.optional() })

const names = `${figureNames.join(', ')} (with param), p95, median`

/** Reads a figure by its name; `param` is the percentile. */
function figureNamed(name: string, param: number | undefined, context: z.RefinementCtx) {
  const figure = figureOf(name, param)
  if (!figure)
    context.addIssue({ code: 'custom', message: `must be one of ${names}`, path: ['type'] })
  return figure ?? z.NEVER
}

/** A figure by name, or with the percentile: `p95`, `{type: 'percentile', param: 95}`. */
const Named = z
  .object({ type: z.string().max(40), param: z.number().optional() })
  .transform(({ type, param }, context) => figureNamed(type, param, context))
const FigureAsked = z.preprocess((raw) => (typeof raw === 'string' ? { type: raw } : raw), Named)

/**
 * `{type, sampling}`: one figure for each step. In the form of formulas, `{mode, size, unit}`, it comes after
 * alignment and formula: SCALAR for each stretch of `size` (or the whole range), MOVING over the
 * stretch that ends at each row.
 */
const Aggregation = z
  .object({
    type: z.string().max(40).optional(),
    param: z.number().optional(),
    sampling: Sampling.optional(),
    mode: z.enum(['SCALAR', 'MOVING', 'DISABLED']).optional(),
    size: size.optional(),
    unit: Unit.optional(),
    extent: size.optional(),
  })
  .transform(({ type, param, ...rest }, context) => ({
    ...rest,
    ...(type !== undefined && { figure: figureNamed(type, param, context) }),
  }))

/** Brings sources onto common times: steps with a figure each, the times of one source, or all times. */
const Alignment = z.object({
  sampling: Sampling.optional(),
  aggregation: FigureAsked.optional(),
  missingValues: z
    .object({
      fillPolicy: z.enum(fillPolicies).default('EXTEND_LAST_VALUE'),
      paddingPolicy: z.enum(paddingPolicies).default('SEARCH_OR_NULL'),
    })
    .optional(),
  /** The tagName or model path of the source whose times count. */
  source: z.string().max(2_000).optional(),
})

/** Letters of a list of names with commas. */
const longestList = 200_000

const condition = z.string().max(10_000)
const Filters = z.object({
  beforeAlignment: z.object({ condition: condition.optional() }).optional(),
  post: z
    .object({
      condition: condition.optional(),
      fields: z.array(z.string().max(2_000)).max(1_000).optional(),
    })
    .optional(),
})

const Functions = z.object({
  formula: z.object({
    map: z.string().max(10_000).optional(),
    reduce: z
      .object({ operator: z.string().max(40), param: z.number().optional() })
      .transform(({ operator, param }, context) => figureNamed(operator, param, context))
      .optional(),
  }),
})

/** A flag about `since`, as older clients send it, or a time of its own. */
const SinceAfter = z.union([
  z.boolean(),
  z.enum(['true', 'false']).transform((text) => text === 'true'),
  time,
])

const timeWords = 'ISO 8601, ms since 1970, or relative: now, now-15m, -7d'
const jsonWords = 'an object, in a query string as JSON'

/** Fields of every query for values; objects as JSON text in a query string. */
export const tagQuestion = {
  since: time.optional().describe(`The beginning, included: ${timeWords}`),
  to: time.optional().describe(`The end, not included: ${timeWords}`),
  sinceAfter: SinceAfter.optional().describe(
    'true: since itself is not included; a time: as since, without the value at that very time',
  ),
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .describe('Most values of each path: the first after since, or the newest without since'),
  format: z.enum(['json', 'table', 'legacy', 'csv']).default('json'),
  timestampFormat: z.enum(['unix', 'iso8601']).optional(),
  aggregation: jsonText(Aggregation).describe(
    `{type, param?, sampling: {size, unit, extent?}}, a figure of each step; or {mode: SCALAR|MOVING|DISABLED, type, size, unit} after alignment and formula; ${jsonWords}`,
  ),
  downsampling: jsonText(z.object({ size: z.int().min(1).max(20_000) })).describe(
    `{size}: least and greatest value of each of so many steps; ${jsonWords}`,
  ),
  timezone: z
    .string()
    .max(60)
    .optional()
    .describe('IANA name: for ISO times of the answer, and for steps of days and longer'),
  queryTimeout: z.coerce.number<number>().int().min(1).max(300_000).default(60_000).describe('ms'),
  action: z
    .enum(['FETCH', 'DESCRIBE', 'RESOLVE'])
    .default('FETCH')
    .describe('The values, figures of each path, or which paths there are'),
  filterStructFields: z
    .preprocess(
      (raw) => {
        if (isNothing(raw)) return undefined
        if (typeof raw !== 'string' || raw.startsWith('[')) return raw
        if (raw.length > longestList) return raw // the schema says that it is too long
        return raw.split(',').map((name) => name.trim())
      },
      jsonText(z.array(z.string().max(200)).max(1_000)),
    )
    .optional()
    .describe('Fields of structs that are answered: a list, its JSON, or names with commas'),
  filterCondition: condition
    .optional()
    .describe("A formula over value, timestamp, quality and a struct's fields"),
  filterRawData: z
    .preprocess((raw) => (isNothing(raw) ? undefined : raw), flag.optional())
    .optional()
    .describe('False: filterCondition is asked of the figures, not of stored values'),
  filters: jsonText(Filters).describe(
    `{beforeAlignment: {condition}, post: {condition, fields}}; ${jsonWords}`,
  ),
  alignment: jsonText(Alignment).describe(
    `{sampling?, aggregation?, missingValues: {fillPolicy, paddingPolicy}, source?}; ${jsonWords}`,
  ),
  quality: z
    .preprocess((raw) => (isNothing(raw) ? undefined : raw), flag.optional())
    .optional()
    .describe(
      'True: a column more, the worst quality of what a value is made of: 0 good, 1 uncertain, 2 bad; not in tables',
    ),
  functions: jsonText(Functions).describe(
    `{formula: {map, reduce?: {operator, param?}}}; ${jsonWords}`,
  ),
}
export const TagQuestion = z.object(tagQuestion)
export type TagQuestion = z.output<typeof TagQuestion>
