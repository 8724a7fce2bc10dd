import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import { type Reach } from '@longreach/authorization/reach'
import { within } from '../reach.ts'

/** Organizations above this one, nearest first: `a.b`, `a` for `a.b.c`. */
function organizationsAbove(organization: string): string[] {
  const parts = organization.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('.'))
}

/** Rows of `table` in reach, and those that an organization above shares. */
export function visibleIn(reach: Reach, table: string): RawBuilder<boolean> {
  const above = organizationsAbove(reach.organization)
  const own = within(reach, `${table}.organization`)
  if (above.length === 0) return own
  const [organization, shared] = [sql.ref(`${table}.organization`), sql.ref(`${table}.shared`)]
  return sql<boolean>`(${own} or (${shared} and ${organization} in (${sql.join(above)})))`
}

/** A name means the nearest model of that name: an own one hides that of an organization above. */
export function nearestOfName({ organization }: Reach, more: RawBuilder<unknown> = sql`true`) {
  const above = organizationsAbove(organization)
  if (above.length === 0) return sql<boolean>`true`
  return sql<boolean>`not exists (select from ${sql.table('mappings.model')} as nearer
    where nearer.name = model.name and length(nearer.organization) > length(model.organization)
    and (nearer.organization = ${organization}
      or (nearer.shared and nearer.organization in (${sql.join(above)})))
    and ${more})`
}

/** One version of a name as an organization may use it: its own, or the nearest that is shared with it. */
export function usableModel(
  db: Kysely<MappingsDb>,
  organization: string,
  { name, version }: { name: string; version: string },
) {
  return usable(db, organization, name).where('version', '=', version).executeTakeFirst()
}

/** The newest version of a name that an organization may use. */
export function newestUsable(db: Kysely<MappingsDb>, organization: string, name: string) {
  return usable(db, organization, name)
    .orderBy('major', 'desc')
    .orderBy('minor', 'desc')
    .orderBy('patch', 'desc')
    .executeTakeFirst()
}

const usable = (db: Kysely<MappingsDb>, organization: string, name: string) =>
  db
    .selectFrom('model')
    .selectAll()
    .where('name', '=', name)
    .where(visibleIn({ organization, subtree: false }, 'model'))
    .orderBy(sql`length(organization)`, 'desc')
    .limit(1)
