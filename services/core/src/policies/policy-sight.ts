import { canDevice } from '@longreach/authorization/can'
import { compile } from '@longreach/authorization/compile'
import { actions } from '@longreach/authorization/permissions'
import type { OrgCtx } from '@longreach/kit/service'
import { findStanding } from '../access/access-store.ts'
import type { CoreDeps } from '../deps.ts'
import type { UserRow } from '../directory/user-store.ts'
import type { PolicySight } from './policy-contract.ts'

/** Actions that a person may do with a device that is in this group alone, and the roles that allow them. */
export async function policySightOf(
  { pool }: Pick<CoreDeps, 'pool'>,
  { organization }: OrgCtx,
  { row, policy }: { row: UserRow; policy: number },
): Promise<PolicySight> {
  const { id, sub, username, first_name: firstName, last_name: lastName } = row
  const user = { id, username, firstName, lastName }
  const standing = await findStanding(pool, sub, String(organization.id))
  if (!standing) return { user, actions: [], through: [] }
  const { roles, policies } = standing
  const capability = compile({ organization, roles, policies })
  const allowed = actions.filter((action) => canDevice(capability, action, [policy]))
  const through = roles.flatMap(({ role, group, organization: from, rules }) => {
    const giving = rules.filter(
      ({ resource, deviceGroup }) =>
        resource === 'devices' && (deviceGroup === null || deviceGroup === policy),
    )
    if (giving.length === 0) return []
    const limited = giving.every(({ deviceGroup }) => deviceGroup !== null)
    return [{ role: role.name, group: group.name, organization: from, limited }]
  })
  return { user, actions: allowed, through: allowed.length === 0 ? [] : through }
}
