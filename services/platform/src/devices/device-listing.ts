import type { Kysely } from 'kysely'
import { type SqlBool, sql } from 'kysely'
import type { PlatformDb } from './device-state-store.ts'

/** A label is of one device in each organization: all that have it, at and below this one. */
export const devicesOfLabel = (db: Kysely<PlatformDb>, org: string, label: string) =>
  ids(inside(db, org, { below: true }).select('device_id').where('label', '=', label).limit(100))

export const devicesOfGroup = (db: Kysely<PlatformDb>, org: string, group: number) =>
  ids(
    inside(db, org, { below: true })
      .select('device_id')
      .where(sql<SqlBool>`${group} = any(groups)`)
      .limit(1_000),
  )

async function ids(query: { execute: () => Promise<{ device_id: string }[]> }) {
  return (await query.execute()).map((row) => row.device_id)
}

const inside = (
  db: Kysely<PlatformDb>,
  org: string,
  { below, closed = [] }: { below: boolean; closed?: readonly string[] | undefined },
) =>
  db
    .selectFrom('device_state')
    .where('deleted', '=', false)
    .where((where) =>
      where.or([
        where('org', '=', org),
        ...(below
          ? [
              where.and([
                where('org', 'like', beneath(org)),
                ...closed.map((one) => where('org', '<>', one)),
                ...closed.map((one) => where('org', 'not like', beneath(one))),
              ]),
            ]
          : []),
      ]),
    )

const beneath = (org: string) => `${org.replaceAll(/[\\%_]/g, '\\$&')}.%`

type Page = { page: number; pageSize: number }

/** A page of the devices in an organization (and below), in groups where the caller sees only some. */
export async function listDevices(
  db: Kysely<PlatformDb>,
  scope: {
    org: string
    below: boolean
    closed: readonly string[] | undefined
    groups: readonly number[][]
  },
  { page, pageSize }: Page,
) {
  let query = inside(db, scope.org, scope)
  for (const list of scope.groups) {
    query = query.where(sql<SqlBool>`groups && ${list}::int[]`)
  }
  const { count } = await query
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll()
    .orderBy('device_id')
    .offset(page * pageSize)
    .limit(pageSize)
    .execute()
  return { rows, count }
}
