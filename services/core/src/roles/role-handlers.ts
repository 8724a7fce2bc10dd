import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { mustHold } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { policiesByIds } from '../policies/policy-store.ts'
import type { NewRole, Role, roleEndpoints } from './role-contract.ts'
import { deleteRole, insertRole, type RoleRow, rolesByIds, searchRoles } from './role-store.ts'

type RoleHandlers = Pick<Handlers<typeof coreContract>, keyof typeof roleEndpoints>

const shown = (row: RoleRow, orgResourceId: string): Role => ({
  id: row.id,
  name: row.name,
  label: row.label,
  description: row.description,
  type: row.type,
  owner: row.owner,
  owners: [row.owner],
  ownerRef: null,
  enabled: row.enabled,
  deleted: false,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  organizationId: row.organization_id,
  orgResourceId,
  defaultStar: row.default_star,
  inherit: row.inherit,
  rules: row.rules,
})

export const roleHandlers = (deps: CoreDeps): RoleHandlers => ({
  roles: async ({ query: { owner, owners, ...query } }, { organization }) => {
    const asked = { ...query, owners: owners ?? owner }
    const { rows, total } = await searchRoles(deps.db, organization.id, asked)
    return toContentPage(
      rows.map((row) => shown(row, organization.resourceId)),
      total,
      query,
    )
  },

  role: async ({ params: { role } }, { organization }) => oneOf(deps, organization, role),

  createRole: async ({ body }, ctx) => {
    const { organization } = ctx
    await mustKnowGroups(deps, organization.id, body)
    await mustHold(deps, ctx, [body])
    const id = await deps.db.transaction().execute(async (tx) => {
      const made = await insertRole(
        tx,
        organization.id,
        { ...body, owner: 'ORGANIZATION' },
        ctx.now,
      )
      if (made === undefined) {
        const message = `There is a role "${body.name}" already`
        throw failure(coreContract, 'name_taken', { field: 'name', message })
      }
      return made
    })
    return oneOf(deps, organization, id)
  },

  deleteRole: async ({ params: { role } }, { organization: { id, resourceId } }) => {
    await deps.db.transaction().execute(async (tx) => {
      const [known] = await rolesByIds(tx, id, [role])
      if (!known) throw missing(role)
      if (!(await deleteRole(tx, id, role))) {
        const message = `"${known.label}" belongs to the product and cannot be deleted`
        throw failure(coreContract, 'made_by_system', { message })
      }
      await publish(tx, coreContract.events.permissionsChanged, { resourceId })
    })
  },
})

const missing = (id: number) =>
  failure(coreContract, 'not_found', { message: `There is no role ${id} in this organization` })

async function oneOf({ db }: CoreDeps, organization: OrgCtx['organization'], id: number) {
  const [row] = await rolesByIds(db, organization.id, [id])
  if (!row) throw missing(id)
  return shown(row, organization.resourceId)
}

/** Device groups that rules name must be the organization's own. */
async function mustKnowGroups({ db }: CoreDeps, organizationId: number, { rules }: NewRole) {
  const ids = rules.flatMap(({ deviceGroup }) => (deviceGroup === null ? [] : [deviceGroup]))
  const known = await policiesByIds(db, organizationId, ids)
  const unknown = ids.find((id) => !known.some((policy) => policy.id === id))
  if (unknown === undefined) return
  const message = `There is no device group ${unknown} in this organization`
  throw failure(coreContract, 'not_in_organization', { field: 'rules', message })
}
