import type { Kysely } from 'kysely'

export type ClosedDb = { organization_state: { resource_id: string; closed: boolean; as_of: Date } }
type Told = { organizations: readonly { resourceId: string }[]; at: number }

/** Rows of one statement: a statement takes 65535 parameters. */
const atOnce = 5_000

/** Deleted organizations: their devices are refused until the organization is restored. */
export function createClosedOrganizations() {
  const closed = new Set<string>()
  return {
    has: (org: string) => closed.has(org),

    /** Reads the organizations that were deleted before this process started. */
    async load(db: Kysely<ClosedDb>) {
      const rows = await db
        .selectFrom('organization_state')
        .select('resource_id')
        .where('closed', '=', true)
        .execute()
      for (const row of rows) closed.add(row.resource_id)
    },

    /**
     * Takes organizations that were deleted or restored. The events of both may come in another
     * order than they happened: the later one counts.
     */
    async tell(tx: Kysely<ClosedDb>, { organizations, at }: Told, isClosed: boolean) {
      const state = { closed: isClosed, as_of: new Date(at) }
      for (let from = 0; from < organizations.length; from += atOnce) {
        const some = organizations.slice(from, from + atOnce)
        const changed = await tx
          .insertInto('organization_state')
          .values(some.map(({ resourceId }) => ({ resource_id: resourceId, ...state })))
          .onConflict((conflict) =>
            conflict
              .column('resource_id')
              .doUpdateSet(state)
              .where('organization_state.as_of', '<=', state.as_of),
          )
          .returning('resource_id')
          .execute()
        // Before the transaction ends: should it fail, the event comes again and says the same.
        for (const row of changed) {
          if (isClosed) closed.add(row.resource_id)
          else closed.delete(row.resource_id)
        }
      }
    },
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
