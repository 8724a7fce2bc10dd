import { z } from 'zod'
import type { Permission } from '@longreach/authorization/permissions'

/**
 * Required access: none, a signed-in person, another service, membership in the organization of the
 * call, or a permission in it.
 */
export type Access = 'public' | 'signed-in' | 'service' | 'member' | Permission

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /**
   * Base path of this call in place of the contract's, for clients that expect it at another
   * service.
   */
  base?: `/${string}`
  /**
   * Name of this call in audit entries and in the OpenAPI document, for a call that another service
   * answered before; by default the service and the key in the contract.
   */
  knownAs?: `${string}.${string}`
  /** Further paths of the same call that existing clients use. */
  also?: readonly string[]
  /** One access, or several of which one suffices; a function when it depends on the path. */
  access: Access | readonly Access[] | ((params: Record<string, string>) => Access)
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /**
   * Body fields that existing clients send and that have no effect. Any other unknown field is
   * refused, so that nobody believes it was stored.
   */
  ignored?: readonly string[]
  result: z.ZodType
  /**
   * Media types of file answers. With a JSON result the request chooses between them; with a text
   * or no result they replace it.
   */
  files?: readonly string[]
  /** CSV headings in order, when the request does not choose them. */
  columns?: readonly string[]
  /** Marks a call without side effects whose method is not GET: it gets no audit entry. */
  reads?: true
  /** The handler decides what stands in the audit trail, and writes it itself: the kit adds no line. */
  audit?: 'own'
  /** Refused during impersonation, because the call changes a person's identity or sign-in. */
  inPerson?: true
  /** Opens a `signed-in` or `member` call to API keys: to all, or to those with a permission. */
  apiKeys?: true | Permission
  /** Largest body in bytes; 2 MB by default. */
  largestBody?: number
  /** Largest number of values in a body, lists and objects included; 50,000 by default. */
  mostValues?: number
  /**
   * Limits each person to two of these calls at a time, because they cost the server much; further
   * ones wait.
   */
  costly?: true
  /** Status of a successful answer; 200 by default, 204 without a result. */
  status?: 200 | 201 | 202
}

/** Event that services publish and consume. `topic` has the form `service.what_happened`. */
export type Event<T extends z.ZodType = z.ZodType> = {
  topic: `${string}.${string}`
  payload: T
  /**
   * Text that all events have in common whose order matters, such as a device's id: these are told in the
   * order of their commits. Without it all events of the kind are.
   */
  lane?(value: z.output<T>): string
}

/** Lane of an event about one device. */
export const laneOfDevice = ({ deviceId }: { deviceId: string }) => deviceId

/** Root of an organization, by its resourceId. */
export const rootOf = (resourceId: string) => resourceId.split('.', 1)[0] ?? ''

export type Contract = {
  service: string
  base: `/${string}`
  /** Errors of the service with their HTTP statuses. */
  errors: Record<string, 400 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 503>
  endpoints: Record<string, Endpoint>
  events?: Record<string, Event>
}

/** Name of a call in audit entries, for example `core.createRole`. */
export const callNameOf = (
  { service }: Pick<Contract, 'service'>,
  name: string,
  endpoint: Endpoint,
) => endpoint.knownAs ?? `${service}.${name}`

export const defineContract = <const C extends Contract>(contract: C): C => contract

/** Calls, errors and events of one part of a service. */
export type PartContract = Partial<Pick<Contract, 'errors' | 'endpoints' | 'events'>>

export const definePartContract = <const C extends PartContract>(contract: C): C => contract

type FieldOf<P, F extends keyof PartContract> = P extends { [K in F]: infer Field } ? Field : never
/** One object type with the fields of every member of a union. */
type Joined<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void
  ? { [K in keyof All]: All[K] }
  : never

type Begun = Omit<Contract, 'errors' | 'endpoints' | 'events'> & PartContract
type JoinedContract<B extends Begun, P extends PartContract> = Pick<B, 'service' | 'base'> & {
  errors: Joined<FieldOf<B | P, 'errors'>>
  endpoints: Joined<FieldOf<B | P, 'endpoints'>>
  events: Joined<FieldOf<B | P, 'events'>>
}

/**
 * Contract of a service: the union of its parts' contracts, and errors that several parts answer.
 * Throws when two parts have the same call or event, or one error with two statuses.
 */
export function joinContracts<const B extends Begun, const P extends readonly PartContract[]>(
  begun: B,
  parts: P,
) {
  const all: readonly PartContract[] = [begun, ...parts]
  const { service, base } = begun
  const errors = {}
  for (const part of all) for (const entry of Object.entries(part.errors ?? {})) add(errors, entry)
  const joined = {
    service,
    base,
    errors,
    endpoints: onlyOnce(service, all, 'endpoints'),
    events: onlyOnce(service, all, 'events'),
  }
  return joined as unknown as JoinedContract<B, P[number]> // no type follows a loop over the parts
}

function add(errors: Record<string, unknown>, [name, status]: [string, unknown]) {
  if (name in errors && errors[name] !== status) throw new Error(`${name} has two statuses`)
  errors[name] = status
}

function onlyOnce(
  service: string,
  parts: readonly PartContract[],
  field: 'endpoints' | 'events',
): object {
  const entries = parts.flatMap((part) => Object.entries<unknown>(part[field] ?? {}))
  const names = entries.map(([name]) => name)
  const twice = names.find((name, place) => names.indexOf(name) < place)
  if (twice !== undefined) throw new Error(`${service}: two parts have ${twice}`)
  return Object.fromEntries(entries)
}

type Parts = 'params' | 'query' | 'body'
/** Input of a call as the client gives it, with only the parts that the endpoint declares. */
export type Input<E extends Endpoint> = {
  [P in Parts as E[P] extends z.ZodType ? P : never]: z.input<NonNullable<E[P]>>
}
/** Input of a call as the handler receives it, parsed and with defaults. */
export type Parsed<E extends Endpoint> = {
  [P in Parts as E[P] extends z.ZodType ? P : never]: z.output<NonNullable<E[P]>>
}
export type Result<E extends Endpoint> = z.output<E['result']>

const pageFacts = {
  number: z.int(),
  totalElements: z.int(),
  totalPages: z.int(),
  last: z.boolean(),
  /** Number of the following page; null on the last one. */
  next: z.int().nullable().default(null),
}

/**
 * Schema of a page of results as core, licensing and remote access answer it; `page` and `pageSize`
 * repeat the request.
 */
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

/** Schema of a page of results with its rows in `data`. */
export const dataPage = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), ...pageFacts, scrollId: z.string().optional() })

type Asked = {
  page: number
  pageSize: number
  /** Last-page mark from the rows read, for counts that stop early. */
  last?: boolean | undefined
}

const pageFactsOf = (total: number, { page, pageSize, last: known }: Asked) => {
  const totalPages = Math.ceil(total / pageSize)
  const last = known ?? page + 1 >= totalPages
  return { number: page, totalElements: total, totalPages, last, next: last ? null : page + 1 }
}

/** Answer for a `contentPage`, from the rows of the page and the total count. */
export const toContentPage = <T>(rows: T[], total: number, asked: Asked) => ({
  content: rows,
  ...pageFactsOf(total, asked),
  size: asked.pageSize,
  numberOfElements: rows.length,
  first: asked.page === 0,
  empty: rows.length === 0,
  page: asked.page,
  pageSize: asked.pageSize,
})

/** Answer for a `dataPage`, from the rows of the page and the total count. */
export const toDataPage = <T>(rows: T[], total: number, asked: Asked) => ({
  data: rows,
  ...pageFactsOf(total, asked),
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
/** Schema of a row's id: a positive integer in PostgreSQL's range. */
export const rowId = z.int().positive().max(largestInteger)
/** Schema of a row's id in a path or query, where it is text. */
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

/**
 * Schema of a time: a `Date` in code, ISO 8601 on the wire. Other texts are refused, since `new
 * Date('0.5')` is a day in May.
 */
export const timestamp = z.preprocess(
  (raw) => (typeof raw === 'string' && iso.test(raw) ? new Date(raw) : raw),
  z.date('a time such as 2026-11-22T10:00:00Z is expected'),
) as unknown as z.ZodType<Date, Date> // callers in code pass a Date

/** Error body of all services. `code` is stable; the portal translates by it. */
export const errorBody = z.object({
  statusCode: z.int(),
  error: z.string(),
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
})
