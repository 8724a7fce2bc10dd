import { z } from 'zod'

/** Several series in columns: rows are `[time, value]`, times in ms since 1970 or ISO 8601 as asked. */
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

/** An object, or its JSON text as query strings carry it. */
const jsonText = <T extends z.ZodType>(schema: T) =>
  z.preprocess((raw) => {
    if (typeof raw !== 'string') return raw
    try {
      return JSON.parse(raw) as unknown
    } catch {
      return raw // no JSON: the schema says what it wants
    }
  }, schema)

const units = ['milliseconds', 'seconds', 'minutes', 'hours', 'days', 'weeks'] as const
const Aggregation = z.object({
  type: z.enum(['average', 'avg', 'min', 'max', 'sum', 'count', 'first', 'last']),
  sampling: z.object({
    size: z.number().positive().default(1),
    unit: z
      .string()
      .transform((unit) => (unit.endsWith('s') ? unit : `${unit}s`))
      .pipe(z.enum(units)),
    /** How many steps reach back from `to`, where no `since` is given. */
    extent: z.number().positive().optional(),
  }),
})
export type Aggregation = z.output<typeof Aggregation>

/** ISO 8601, ms since 1970, or relative: `now`, `now-15m`, `now-7d`. */
export const time = z.union([z.number(), z.string().max(60)])

const isNothing = (raw: unknown) =>
  ['', 'false', false, null].includes(raw as string) ||
  (typeof raw === 'object' && Object.keys(raw ?? {}).length === 0) // an empty list or object

/** A field that clients know and that has no effect yet: refused by name, unless it says nothing. */
const notYet = z
  .preprocess(
    (raw) => (isNothing(raw) ? undefined : raw),
    z.never({ error: 'is not supported yet; leave it out' }).optional(),
  )
  .optional()

/** What every question about values may say. */
export const tagQuestion = {
  since: time.optional(),
  to: time.optional(),
  /** As `since`, without the value at that very time. */
  sinceAfter: time.optional(),
  /** Most values for each path: the first after `since`, or the newest when there is no `since`. */
  limit: z.coerce.number<number>().int().min(1).max(10_000_000).optional(),
  format: z.enum(['json', 'table', 'legacy', 'csv']).default('json'),
  timestampFormat: z.enum(['unix', 'iso8601']).optional(),
  aggregation: jsonText(Aggregation).optional(),
  /** Least and greatest value of each of `size` steps: at most two points for each. */
  downsampling: jsonText(z.object({ size: z.int().min(1).max(20_000) })).optional(),
  /** IANA name, for ISO times in the answer. */
  timezone: z.string().max(60).optional(),
  /** ms. */
  queryTimeout: z.coerce.number<number>().int().min(100).max(300_000).default(60_000),
  filterStructFields: notYet,
  filterCondition: notYet,
  filterRawData: notYet,
  filters: notYet,
}
/** Of questions in the body, besides. */
export const formulaQuestion = { alignment: notYet, functions: notYet }
export const TagQuestion = z.object(tagQuestion)
export type TagQuestion = z.output<typeof TagQuestion>
