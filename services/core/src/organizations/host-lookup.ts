import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { hostOf } from './host-rules.ts'

type Found = { realm: string; resource_id: string }
const living = (db: Kysely<CoreDb>) =>
  db.selectFrom('organization').select(['realm', 'resource_id']).where('status', '=', 'ACTIVE')

/**
 * The organization whose host this is: the root of the name that stands before the installation's own
 * host, or one with this host name. A root's name comes first, so that nobody can take its host.
 */
export async function findByHost(
  db: Kysely<CoreDb>,
  hostname: string,
  base: string,
): Promise<Found | undefined> {
  const { host, label } = hostOf(hostname, base)
  if (host === base) return undefined
  if (label !== undefined) {
    const root = await living(db)
      .where('parent', 'is', null)
      .where('name', '=', label)
      .executeTakeFirst()
    if (root) return root
  }
  return living(db)
    .where(sql<string>`lower(hostname)`, 'in', label === undefined ? [host] : [host, label])
    .orderBy('id')
    .executeTakeFirst()
}

/** The realm of a root by its name. */
export const findRealm = async (db: Kysely<CoreDb>, name: string) =>
  (await living(db).where('parent', 'is', null).where('realm', '=', name).executeTakeFirst())?.realm

/** The realm of an installation that has just one. */
export async function findOnlyRealm(db: Kysely<CoreDb>) {
  const [first, ...more] = await living(db).where('parent', 'is', null).limit(2).execute()
  return more.length === 0 ? first?.realm : undefined
}

/** The labels before the installation's own host that lead to an organization of a realm. */
export async function hostsOfRealm(db: Kysely<CoreDb>, realm: string, base: string) {
  const rows = await db
    .selectFrom('organization')
    .select(['name', 'hostname', 'parent'])
    .where('status', '=', 'ACTIVE')
    .where('realm', '=', realm)
    .where((is) => is.or([is('parent', 'is', null), is('hostname', 'is not', null)]))
    .execute()
  const named = rows.flatMap(({ name, hostname, parent }) => [
    ...(parent === null ? [name] : []),
    ...(hostname === null ? [] : [labelOf(hostname, base)]),
  ])
  const labels = [...new Set(named.filter((label) => label !== undefined))]
  if (labels.length === 0) return []
  // The name of a root organization wins over a host name of another organization.
  const roots = await living(db).where('parent', 'is', null).where('name', 'in', labels).execute()
  const foreign = new Set(
    roots.filter((root) => root.realm !== realm).map(({ resource_id: name }) => name),
  )
  return labels.filter((label) => !foreign.has(label)).toSorted()
}

/** A host name in one label: as it was given, or as it stands before the installation's own host. */
const labelOf = (hostname: string, base: string) =>
  hostOf(hostname.includes('.') ? hostname : `${hostname}.${base}`, base).label
