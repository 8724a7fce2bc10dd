import { z } from 'zod'
import type { Permission } from '@longreach/authorization/permissions'

/**
 * Who may call: anybody; any signed-in person; another service of this house;
 * any member of the organization that the call names; or a holder of a permission there.
 */
export type Access = 'public' | 'signed-in' | 'service' | 'member' | Permission

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Where the call stands instead of below the contract's base: clients know it from another service. */
  base?: `/${string}`
  /** Other paths of the same call that clients in the field use. */
  also?: readonly string[]
  /** One access, or several of which any suffices; a function where the path decides. */
  access: Access | readonly Access[] | ((params: Record<string, string>) => Access)
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /**
   * Fields of the body that clients in the field send and that have no effect: they are accepted. Every
   * other field that the body does not know is refused, so that nobody believes it kept.
   */
  ignored?: readonly string[]
  result: z.ZodType
  /**
   * Types of files that are answered: beside the JSON of the result where the question chooses one, in
   * its place where the result is a text or nothing.
   */
  files?: readonly string[]
  /** Headings of a CSV file in their order, where the question does not choose them. */
  columns?: readonly string[]
  /** A call that changes nothing although its method is not GET: it leaves no line in the audit trail. */
  reads?: true
  /** The handler decides what stands in the audit trail, and writes it itself: the kit adds no line. */
  audit?: 'own'
  /** Refused to an administrator who acts as somebody else: it changes who a person is or how they sign in. */
  inPerson?: true
  /** A `signed-in` or `member` call that API keys may make too: any, or those that hold a permission. */
  apiKeys?: true | Permission
  /** Most bytes of a body, where the usual 2 MB are not enough. */
  largestBody?: number
  /** Most values of a body, lists and objects among them, where the usual 50,000 are not enough. */
  mostValues?: number
  /** Costly for the server: two at a time for each person, more wait for their turn. */
  dear?: true
  /** Status of a successful answer; 200 when absent, 204 when there is no result. */
  status?: 200 | 201 | 202
}

/** Something that happened, told to whoever asked. `topic` is `service.what_happened`. */
export type Event<T extends z.ZodType = z.ZodType> = { topic: `${string}.${string}`; payload: T }

export type Contract = {
  service: string
  base: `/${string}`
  /** The service's own errors and their HTTP statuses. */
  errors: Record<string, 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 503>
  endpoints: Record<string, Endpoint>
  events?: Record<string, Event>
}

export const defineContract = <const C extends Contract>(contract: C): C => contract

type Parts = 'params' | 'query' | 'body'
/** What a caller sends. Parts the endpoint does not declare do not exist. */
export type Input<E extends Endpoint> = {
  [P in Parts as E[P] extends z.ZodType ? P : never]: z.input<NonNullable<E[P]>>
}
/** What a handler receives, after parsing and defaults. */
export type Parsed<E extends Endpoint> = {
  [P in Parts as E[P] extends z.ZodType ? P : never]: z.output<NonNullable<E[P]>>
}
export type Result<E extends Endpoint> = z.output<E['result']>

const pageFacts = {
  number: z.int(),
  totalElements: z.int(),
  totalPages: z.int(),
  last: z.boolean(),
  /** The number of the page after this one; null after the last. */
  next: z.int().nullable().default(null),
}

/** A list in the shape of core, licensing and remote access; `page` and `pageSize` repeat the question. */
export const contentPage = <T extends z.ZodType>(item: T) =>
  z.object({
    content: z.array(item),
    ...pageFacts,
    size: z.int(),
    numberOfElements: z.int(),
    first: z.boolean(),
    empty: z.boolean(),
    page: z.int(),
    pageSize: z.int(),
  })

/** A list in the shape of mappings, platform, alarms and dashboards. */
export const dataPage = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), ...pageFacts, scrollId: z.string().optional() })

type Asked = {
  page: number
  pageSize: number
  /** Where the count stops early, whether this is the last page is known from the rows. */
  last?: boolean | undefined
}

const facts = (total: number, { page, pageSize, last: known }: Asked) => {
  const totalPages = Math.ceil(total / pageSize)
  const last = known ?? page + 1 >= totalPages
  return { number: page, totalElements: total, totalPages, last, next: last ? null : page + 1 }
}

/** Answer a `contentPage` from the rows of the page asked for and the count of all. */
export const toContentPage = <T>(rows: T[], total: number, asked: Asked) => ({
  content: rows,
  ...facts(total, asked),
  size: asked.pageSize,
  numberOfElements: rows.length,
  first: asked.page === 0,
  empty: rows.length === 0,
  page: asked.page,
  pageSize: asked.pageSize,
})

/** Answer a `dataPage` from the rows of the page asked for and the count of all. */
export const toDataPage = <T>(rows: T[], total: number, asked: Asked) => ({
  data: rows,
  ...facts(total, asked),
})

/** Query fields of a paged list: pages count from 0. */
export const paging = (defaultSize = 50, largest = 10_000) => ({
  page: z.coerce.number<number>().int().min(0).max(1_000_000).default(0),
  pageSize: z.coerce
    .number<number>()
    .int()
    .min(1)
    .transform((size) => Math.min(size, largest))
    .default(defaultSize),
})

const largestInteger = 2_147_483_647
/** The id of a row: a whole number that the database's columns hold. */
export const rowId = z.int().positive().max(largestInteger)
/** The same in a path or a query, where it comes as a text. */
export const rowIdText = z.coerce.number<number | string>().int().positive().max(largestInteger)

/** `true`, `false`, `1` or `0` in a query string. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((value) => value === true || value === 'true' || value === '1')

/** A query field that may be given once, several times, or not at all. */
export const list = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (Array.isArray(value) ? value : [value]))

/** ISO 8601, also as PostgreSQL writes it: with a blank, and an offset of whole hours. */
const iso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?$/i

/** A `Date` on both sides, ISO 8601 between them: `new Date('0.5')` would be a day in May. */
export const timestamp = z.preprocess(
  (raw) => (typeof raw === 'string' && iso.test(raw) ? new Date(raw) : raw),
  z.date('a time such as 2026-11-22T10:00:00Z is expected'),
) as unknown as z.ZodType<Date, Date> // who calls from here gives a Date

/** The one error body of every service. `code` is stable and is the portal's translation key. */
export const errorBody = z.object({
  statusCode: z.int(),
  error: z.string(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
})
