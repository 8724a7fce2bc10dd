import { definePartContract, list, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'
import { place } from '../place-contract.ts'

const text = z.string().max(200)

/** Filter of entries; an absent field does not filter. */
const wanted = {
  from: timestamp.optional(),
  to: timestamp.optional(),
  /** User names or subjects; administrators who impersonated somebody are found too. */
  actor: list.optional(),
  actorKind: list.optional(),
  resource: list.optional(),
  action: list.optional(),
  /** Calls of contracts, as `alarms.createRule`: things of one resource are told apart by them. */
  call: list.optional(),
  /** Calls whose entries are left out. */
  withoutCall: list.optional(),
  /** Id of the changed object, with `resource`. */
  target: z.string().max(500).optional(),
  outcome: z.enum(['done', 'refused']).optional(),
  /** An address, or the beginning of some: `10.0.`. */
  ip: text.optional(),
  /** Words or beginnings of words, all of which a line must have. */
  text: text.optional(),
  /** `hidden` leaves out changes of the own preferences. */
  ownPreferences: z.enum(['shown', 'hidden']).optional(),
}
export const Wanted = z.object(wanted)
export type Wanted = z.output<typeof Wanted>

const ActorKind = z.enum(['nobody', 'user', 'service', 'device', 'apiKey'])

const Person = z.object({ sub: z.string(), username: z.string() })

/** One line of the trail: who did, or tried to do, what to what. */
export const Entry = z.object({
  /** Position in the chain of the whole installation. */
  id: z.int(),
  at: timestamp,
  organization: z.string(),
  /** Call of a contract: `core.createRole`. */
  call: z.string(),
  resource: z.string(),
  action: z.string(),
  target: z.string(),
  /** Name of the target; for a refused call the one that other entries have, else empty. */
  label: z.string(),
  outcome: z.enum(['done', 'refused']),
  status: z.int().nullable(),
  code: z.string().nullable(),
  /** Number of equal refusals within a few seconds. */
  count: z.int(),
  actor: Person.extend({
    kind: ActorKind,
    realm: z.string(),
    apiKey: z.int().nullable(),
    impersonator: Person.nullable(),
  }),
  ip: z.string(),
  /** The fields below repeat the ones above under the names of the public wire. */
  actorUsername: z.string(),
  impersonatedUsername: z.string().nullable(),
  entityId: z.string(),
  entityIdString: z.string(),
  entityType: z.string(),
  event: z.string(),
  orgResourceId: z.string(),
  /** Milliseconds since 1970. */
  timestamp: z.number(),
})
export type Entry = z.output<typeof Entry>

const EntryDetail = Entry.extend({
  before: z.unknown(),
  after: z.unknown(),
  /** The same as `after`. */
  input: z.unknown(),
  /** Hash of the chain at this entry, hexadecimal. */
  hash: z.string(),
})
type EntryDetail = z.output<typeof EntryDetail>

const Facet = z.object({ value: z.string(), count: z.int() })

/** Headings of the CSV file of the trail. */
export const exportColumns = [
  'id',
  'time',
  'organization',
  'outcome',
  'actor',
  'actorKind',
  'actorId',
  'apiKey',
  'impersonatedBy',
  'ip',
  'action',
  'resource',
  'target',
  'label',
  'call',
  'status',
  'code',
  'count',
  'before',
  'after',
] as const

export const entriesContract = definePartContract({
  errors: { cursor_refused: 400 },
  endpoints: {
    search: {
      method: 'GET',
      path: '/entries',
      access: 'audit:access',
      query: place.extend({
        ...wanted,
        /** `next` of the page before. */
        cursor: text.optional(),
        pageSize: z.coerce.number<number>().int().min(1).max(500).default(50),
      }),
      result: z.object({ data: z.array(Entry), next: z.string().nullable() }),
    },
    entry: {
      method: 'GET',
      path: '/entries/:id',
      access: 'audit:access',
      params: z.object({ id: z.coerce.number<number>().int().min(1) }),
      query: place,
      result: EntryDetail,
    },
    /** Values for filters, the most frequent first, among the newest entries of a period. */
    facets: {
      method: 'GET',
      path: '/facets',
      access: 'audit:access',
      query: place.extend({ from: wanted.from, to: wanted.to }),
      result: z.object({
        resources: z.array(Facet),
        actions: z.array(Facet),
        calls: z.array(Facet),
        outcomes: z.array(Facet),
        actors: z.array(Facet.extend({ kind: ActorKind })),
      }),
    },
    /** Entries of a filter as a file, newest first. */
    export: {
      method: 'GET',
      path: '/export',
      access: 'audit:access',
      query: place.extend({ ...wanted, format: z.enum(['csv', 'jsonl']).default('csv') }),
      result: z.string(),
      files: ['text/csv', 'application/jsonl'],
      columns: exportColumns,
    },
  },
})
