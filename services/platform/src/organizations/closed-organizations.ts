import type { Kysely } from 'kysely'

export type ClosedDb = { organization_state: { resource_id: string; closed: boolean; as_of: Date } }
type Told = { organizations: readonly { resourceId: string }[]; at: number }

/** Rows of one statement: a statement takes 65535 parameters. */
const atOnce = 5_000

/** Deleted organizations: their devices are refused until the organization is restored. */
export function createClosedOrganizations() {
  const known = new Map<string, { isClosed: boolean; at: number }>()
  /** The later of a deletion and a restoration counts, in whatever order they are heard. */
  const take = (org: string, isClosed: boolean, at: number) => {
    const before = known.get(org)
    if (before === undefined || before.at <= at) known.set(org, { isClosed, at })
  }
  return {
    has: (org: string) => known.get(org)?.isClosed ?? false,

    /** Reads the organizations that were deleted before this process started. */
    async load(db: Kysely<ClosedDb>) {
      const rows = await db
        .selectFrom('organization_state')
        .select(['resource_id', 'as_of'])
        .where('closed', '=', true)
        .execute()
      for (const row of rows) take(row.resource_id, true, row.as_of.getTime())
    },

    /** Takes organizations that were deleted or restored, for this process. */
    tell({ organizations, at }: Told, isClosed: boolean) {
      for (const { resourceId } of organizations) take(resourceId, isClosed, at)
    },
  }
}

/** Saves organizations that were deleted or restored; of two, the later one stays. */
export async function saveClosed(
  tx: Kysely<ClosedDb>,
  { organizations, at }: Told,
  isClosed: boolean,
) {
  const state = { closed: isClosed, as_of: new Date(at) }
  for (let from = 0; from < organizations.length; from += atOnce) {
    const some = organizations.slice(from, from + atOnce)
    await tx
      .insertInto('organization_state')
      .values(some.map(({ resourceId }) => ({ resource_id: resourceId, ...state })))
      .onConflict((conflict) =>
        conflict
          .column('resource_id')
          .doUpdateSet(state)
          .where('organization_state.as_of', '<=', state.as_of),
      )
      .execute()
  }
}

export type ClosedOrganizations = ReturnType<typeof createClosedOrganizations>

/** True when an organization is deleted, read from the database. */
export const isClosed = async (db: Kysely<ClosedDb>, org: string) => {
  const row = await db
    .selectFrom('organization_state')
    .select('closed')
    .where('resource_id', '=', org)
    .executeTakeFirst()
  return row?.closed ?? false
}
