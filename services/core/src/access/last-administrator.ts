import { failure } from '@longreach/kit/errors'
import { type Kysely, sql } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { administeringRoles } from './administering-rules.ts'

/**
 * Make a change that could take the last administrator from an organization, and take it back when
 * it did. Somebody above whose administrator role reaches down counts. The rows of the
 * organizations stay locked, so that two administrators cannot remove each other at once.
 */
export async function withAdministratorKept<T>(
  tx: Kysely<CoreDb>,
  organizations: readonly number[],
  change: () => Promise<T>,
): Promise<T> {
  const locked = await tx
    .selectFrom('organization')
    .select(['id', 'label'])
    .where('id', 'in', organizations.length > 0 ? organizations : [0])
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const before = await withAdministrator(tx, organizations)
  const result = await change()
  const after = await withAdministrator(tx, organizations)
  const orphan = locked.find(({ id }) => before.has(id) && !after.has(id))
  if (orphan === undefined) return result
  const message = `"${orphan.label}" would be left without an administrator; make somebody else one first`
  throw failure(coreContract, 'last_administrator', { organization: orphan.label, message })
}

/** Those of the organizations that somebody administers. */
async function withAdministrator(tx: Kysely<CoreDb>, organizations: readonly number[]) {
  const { rows } = await sql<{ id: number }>`
    select o.id from core.organization o
    where o.id = any(${organizations}::int[]) and exists (
      select from core.organization_tree t
      join core.organization above on above.id = t.ancestor
        and above.private_root is not distinct from o.private_root
      join core.role r on r.organization_id = t.ancestor and r.name = any(${administeringRoles}::text[])
        and r.owner = 'SYSTEM' and r.enabled and (t.distance = 0 or r.inherit)
      join core.group_role gr on gr.role_id = r.id
      join core.group_member gm on gm.group_id = gr.group_id
      join core.app_user u on u.id = gm.user_id and u.enabled and not u.service_account
      where t.descendant = o.id)`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
