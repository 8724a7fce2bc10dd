import { type Kysely, sql } from 'kysely'
import { type Scope, within } from './audit-scope.ts'
import type { Wanted } from './contract.ts'
import { type AuditDb, type EntryRow, listColumns, entryColumns } from '../database.ts'
import { searchOf } from '../chain/search-words.ts'

/** Position after which a page continues: time and number of the last entry before it. */
export type Place = { at: Date; seq: number }

type Question = { scope: Scope; wanted: Wanted; after: Place | undefined; limit: number }

/** Entries of a filter, newest first, after a position: new entries do not move the pages. */
export const searchEntries = (db: Kysely<AuditDb>, question: Question) =>
  asked(db, question).select(listColumns).execute()

/** Entries with `before` and `after`, for a file. */
export const exportEntries = (db: Kysely<AuditDb>, question: Question) =>
  asked(db, question).select(entryColumns).execute()

export type ShownRow = Awaited<ReturnType<typeof searchEntries>>[number]
export type ExportRow = Awaited<ReturnType<typeof exportEntries>>[number]

function asked(db: Kysely<AuditDb>, { scope, wanted, after, limit }: Question) {
  let query = matching(db, scope, wanted)
  if (after)
    query = query
      .where(sql<boolean>`(at, seq) < (${after.at}, ${after.seq})`)
      // The same for the months.
      .where('at', '<=', after.at)
  return query.orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit)
}

function matching(db: Kysely<AuditDb>, scope: Scope, wanted: Wanted) {
  const { from, to, target, outcome, ip } = wanted
  let query = db.selectFrom('entry').where(within(scope))
  if (from) query = query.where('at', '>=', from)
  if (to) query = query.where('at', '<=', to)
  if (target !== undefined) query = query.where('target', '=', target)
  if (outcome) query = query.where('outcome', '=', outcome)
  if (ip) query = query.where(sql<boolean>`starts_with(ip, ${ip})`)
  query = query.where(isAbout(wanted))
  if (wanted.actor) query = query.where(isBy(wanted.actor))
  if (wanted.actorKind) query = query.where(sql<boolean>`actor_kind = any(${wanted.actorKind})`)
  if (wanted.ownPreferences === 'hidden') query = query.where(isNoOwnPreference)
  const search = toSearch(wanted.text)
  if (search !== undefined) query = query.where(sql<boolean>`words @@ ${search}::tsquery`)
  return query
}

/** Entries about these things, by resource, action and call. */
function isAbout({ resource, action, call, withoutCall }: Wanted) {
  const conditions = [
    ...(resource ? [sql`resource = any(${resource})`] : []),
    ...(action ? [sql`action = any(${action})`] : []),
    ...(call ? [sql`call = any(${call})`] : []),
    ...(withoutCall ? [sql`call <> all(${withoutCall})`] : []),
  ]
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

const toSearch = (text: string | undefined) => (text === undefined ? undefined : searchOf(text))

/** Calls that the portal also makes by itself at a first sign-in; refused ones are always listed. */
const ownPreferences = ['core.setProperty', 'core.setUserPreference', 'core.deleteUserPreference']
const isNoOwnPreference = sql<boolean>`not (outcome = 'done' and call = any(${ownPreferences}))`

const isBy = (names: readonly string[]) =>
  sql<boolean>`(actor_sub = any(${names}) or actor_username = any(${names})
    or impersonator_sub = any(${names}) or impersonator_username = any(${names}))`

/** Entry with `before` and `after`. */
export const entryById = (db: Kysely<AuditDb>, scope: Scope, id: number) =>
  db
    .selectFrom('entry')
    .select(entryColumns)
    .where('seq', '=', id)
    .where(within(scope))
    .executeTakeFirst()

/** Hash of the chain at an entry. */
export const hashAt = (db: Kysely<AuditDb>, seq: number) =>
  db.selectFrom('chain_link').select('hash').where('seq', '=', seq).executeTakeFirstOrThrow()

/** Time of the oldest entry of a scope. */
export const oldestEntry = (db: Kysely<AuditDb>, scope: Scope) =>
  db
    .selectFrom('entry')
    .select('at')
    .where(within(scope))
    .orderBy('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

const newest = 50_000
const mostValues = 50
/** More than the contracts have: a rare one is the only sign of its kind of things. */
const mostCalls = 1_000

type Values = { dimension: number; value: string; kind: EntryRow['actor_kind']; count: number }

/** Counts of each resource, action, outcome, call and actor in the newest entries of a period. */
export async function countValues(
  db: Kysely<AuditDb>,
  scope: Scope,
  { from, to }: Pick<Wanted, 'from' | 'to'>,
) {
  const lines = matching(db, scope, { from, to })
    .select(['resource', 'action', 'outcome', 'call', 'actor_kind', 'actor_username'])
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(newest)
  const { rows } = await sql<Values>`
    select grouping(resource, action, outcome, call, actor_username) as dimension,
      coalesce(resource, action, outcome, call, actor_username) as value,
      actor_kind as kind, count(*) as count
    from ${lines.as('line')}
    group by grouping sets ((resource), (action), (outcome), (call), (actor_kind, actor_username))
    order by count desc, value`.execute(db)
  const of = (dimension: number, most = mostValues) =>
    rows.filter((row) => row.dimension === dimension && row.value !== '').slice(0, most)
  // `grouping` has a bit for each of its columns that is not grouped by.
  return {
    resources: of(0b01111),
    actions: of(0b10111),
    calls: of(0b11101, mostCalls),
    outcomes: of(0b11011),
    actors: of(0b11110),
  }
}
