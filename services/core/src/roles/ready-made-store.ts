import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { type ReadyMadeRole, versionOf } from './ready-made-roles.ts'
import { insertRoles } from './role-store.ts'

type Executor = Kysely<CoreDb>

/** Inserts ready-made roles into an organization; returns the ids of those whose name was free. */
export const insertReadyMadeRoles = (
  tx: Executor,
  organizationId: number,
  roles: readonly ReadyMadeRole[],
  now: Date,
) => insertRoles(tx, organizationId, roles.map(toRow), now)

const toRow = (role: ReadyMadeRole) => ({
  ...role,
  enabled: true,
  owner: 'SYSTEM' as const,
  version: versionOf(role),
})

/**
 * Organizations with ready-made roles of which one is missing or has another version, by id. A role
 * of the organization's own under the same name counts as present.
 */
export async function outdatedOrganizations(
  db: Executor,
  roles: readonly ReadyMadeRole[],
  { afterId, limit }: { afterId: number; limit: number },
) {
  const wanted = JSON.stringify(
    roles.map((role) => ({ name: role.name, version: versionOf(role) })),
  )
  const { rows } = await sql<{ id: number; resource_id: string }>`
    select o.id, o.resource_id from core.organization o
    where o.id > ${afterId}
      and exists (select from core.role r where r.organization_id = o.id and r.owner = 'SYSTEM')
      and exists (
        select from jsonb_to_recordset(${wanted}::jsonb) as w(name text, version text)
        where not exists (
          select from core.role r where r.organization_id = o.id and r.name = w.name
            and (r.version = w.version or r.owner <> 'SYSTEM')))
    order by o.id limit ${limit}`.execute(db)
  return rows
}

/** Locks the ready-made roles of an organization until the end of the transaction; returns their ids. */
export async function lockReadyMadeRoles(tx: Executor, organizationId: number) {
  const rows = await tx
    .selectFrom('role')
    .select(['id', 'version'])
    .where('organization_id', '=', organizationId)
    .where('owner', '=', 'SYSTEM')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}
