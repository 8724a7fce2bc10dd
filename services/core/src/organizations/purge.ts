import { AppError } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { type Kysely, sql } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { peopleOnlyBelow } from './deletion-store.ts'
import { cleanupImportTokens } from './import-token-store.ts'
import { restorableForMs } from './deletion-rules.ts'

type Executor = Kysely<CoreDb>
type Deps = Pick<CoreDeps, 'db' | 'clients' | 'now'>

/** Deletes organizations whose time to be restored is over, and import tokens that are done. */
export async function purgeDueOrganizations(deps: Deps) {
  const now = deps.now()
  await cleanupImportTokens(deps.db, now)
  const due = await deps.db
    .selectFrom('organization')
    .select('id')
    .whereRef('deleted_with', '=', 'id')
    .where('status', '=', 'DELETING')
    .where('deleted_at', '<=', new Date(now.getTime() - restorableForMs))
    .orderBy('deleted_at')
    .execute()
  for (const { id } of due) await purge(deps, id)
}

/** The accounts of people who were nowhere else go first: deleting them again after a crash changes nothing. */
async function purge({ db, clients, now }: Deps, id: number) {
  for (const { sub } of await peopleOnlyBelow(db, id).execute()) {
    await clients.identity.deleteAccount({ params: { sub } }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.status !== 404) throw error
    })
  }
  await db.transaction().execute(async (tx) => {
    const gone = await tx
      .selectFrom('organization')
      .select(['id', 'resource_id as resourceId'])
      .where('deleted_with', '=', id)
      .where('status', '=', 'DELETING')
      .orderBy('resource_id')
      .forUpdate()
      .execute()
    const [top] = gone
    // Somebody restored it, or another process was faster.
    if (!top) return
    const people = await peopleOnlyBelow(tx, id).execute()
    await deleteEverythingOf(
      tx,
      gone.map((one) => one.id),
    )
    await deletePeople(
      tx,
      people.map((one) => one.id),
    )
    await leaveTombstones(
      tx,
      gone.map((one) => one.id),
      now(),
    )
    await publish(tx, coreContract.events.organizationPurged, {
      resourceId: top.resourceId,
      organizations: gone,
      at: now().getTime(),
    })
  })
}

/**
 * Delete the rows of every table that points at organizations. The catalog is asked, so that no
 * table is forgotten when one is added.
 */
async function deleteEverythingOf(tx: Executor, ids: readonly number[]) {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and cardinality(c.conkey) = 1
      and c.confrelid = 'core.organization'::regclass
      and c.conrelid not in ('core.organization'::regclass, 'core.organization_tree'::regclass)
    order by 1`.execute(tx)
  for (const { table, column } of rows) {
    await sql`delete from ${sql.raw(table)} where ${sql.ref(column)} = any(${ids}::int[])`.execute(
      tx,
    )
  }
}

async function deletePeople(tx: Executor, ids: readonly number[]) {
  if (ids.length === 0) return
  await tx.deleteFrom('app_user').where('id', 'in', ids).execute()
}

/** The row stays without anything personal, so that its resourceId is never given to another one. */
async function leaveTombstones(tx: Executor, ids: readonly number[], now: Date) {
  await tx
    .updateTable('organization')
    .set((eb) => ({
      status: 'DELETED',
      label: eb.ref('name'),
      hostname: null,
      ip_addresses_whitelist: [],
      deleted_at: null,
      deleted_by: null,
      deleted_with: null,
      updated_at: now,
    }))
    .where('id', 'in', ids)
    .execute()
}
