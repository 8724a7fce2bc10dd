import type { Permission } from '@longreach/authorization/permissions'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { checkMayGrant } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { policiesByIds } from '../policies/policy-store.ts'
import { namedPaths, pathRows } from './model-path-rows.ts'
import { permissionOfId } from './permission-ids.ts'
import { type RoleChange, RoleRule } from './role-contract.ts'
import { rulesOf } from './role-rules.ts'
import { lockRole, replacePaths, replaceRules, rolesByIds, updateRole } from './role-store.ts'
import { toRole } from './role-wire.ts'

/** A role of the organization, or 404. */
export async function requireRole(db: Kysely<CoreDb>, organizationId: number, id: number) {
  const [row] = await rolesByIds(db, organizationId, [id])
  if (row) return row
  const message = `There is no role ${id} in this organization`
  throw failure(coreContract, 'not_found', { message })
}

/** Change a role that people may change, as far as the caller could give it themselves. */
export async function changeRole(deps: CoreDeps, ctx: OrgCtx, id: number, change: RoleChange) {
  const { organization, now } = ctx
  const seen = await requireRole(deps.db, organization.id, id)
  if (seen.owner !== 'ORGANIZATION') throw readyMadeError(seen.label)
  const asked = await contentsOf(deps.db, ctx, change, seen.rules)
  // Who lacks what a role gives neither adds to it, nor takes it from those who have it.
  await checkMayGrant(deps, ctx, [
    seen,
    {
      inherit: change.inherit ?? seen.inherit,
      rules: asked.rules ?? seen.rules,
      paths: asked.paths ?? seen.paths,
      label: change.label ?? seen.label,
    },
  ])
  return deps.db.transaction().execute(async (tx) => {
    await lockRole(tx, organization.id, id)
    const before = await requireRole(tx, organization.id, id)
    checkPathsAllowed(change.type ?? before.type, asked.paths ?? before.paths)
    const facts = { ...columnsOf(change), updated_at: now }
    if (!(await updateRole(tx, organization.id, id, facts))) throw nameTaken(change.name ?? '')
    if (asked.rules) await replaceRules(tx, id, asked.rules)
    if (asked.paths) {
      const rows = await pathRows(tx, organization.id, asked.paths, now)
      await replacePaths(tx, organization.id, id, rows)
    }
    const after = await requireRole(tx, organization.id, id)
    await recordChange(tx, ctx, {
      resource: 'roles',
      action: 'update',
      id,
      label: after.label,
      before: toRole(before, organization.resourceId),
      after: toRole(after, organization.resourceId),
    })
    const { resourceId } = organization
    await publish(tx, coreContract.events.permissionsChanged, { resourceId })
    return after
  })
}

const columns = {
  name: 'name',
  label: 'label',
  description: 'description',
  type: 'type',
  enabled: 'enabled',
  inherit: 'inherit',
  defaultStar: 'default_star',
} as const

/** The columns that a change names; what it does not name stays. */
const columnsOf = (change: RoleChange): Parameters<typeof updateRole>[3] =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) => {
      const value = change[field as keyof typeof columns]
      return value === undefined ? [] : [[column, value]]
    }),
  )

/** Only roles for devices name paths: the others have no devices of their own to name them on. */
export function checkPathsAllowed(type: 'APPLICATION' | 'DEVICE', paths: readonly unknown[]) {
  if (type === 'DEVICE' || paths.length === 0) return
  const message = 'Only a role of type DEVICE has model paths; change its type, or leave them out'
  throw failure(coreContract, 'paths_need_device_role', { field: 'modelPathPermissions', message })
}

export const readyMadeError = (label: string) =>
  failure(coreContract, 'made_by_system', {
    message: `"${label}" is ready-made and stays as it is; copy it and change the copy`,
  })

export const nameTaken = (name: string) =>
  failure(coreContract, 'name_taken', {
    field: 'name',
    message: `There is a role "${name}" already`,
  })

type Contents = Pick<
  RoleChange,
  'rules' | 'applicationPermissions' | 'devicePermission' | 'modelPathPermissions'
>

/** Rules of roles here that are limited to a device group, by their ids. */
async function onDeviceGroups(
  db: Kysely<CoreDb>,
  organizationId: number,
  ids: readonly number[],
): Promise<RoleRule[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('role_rule as rule')
    .innerJoin('role as r', 'r.id', 'rule.role_id')
    .select(['rule.id', 'rule.resource', 'rule.actions', 'rule.device_group as deviceGroup'])
    .where('r.organization_id', '=', organizationId)
    .where('rule.device_group', 'is not', null)
    .where('rule.id', 'in', ids)
    .orderBy('rule.id')
    .execute()
  const unknown = ids.find((id) => !rows.some((row) => row.id === id))
  if (unknown !== undefined) {
    const message = `There is no device permission ${unknown} in a role here; see devicePermissions`
    throw failure(coreContract, 'no_such_permission', { field: 'devicePermission', message })
  }
  return rows.map(({ resource, actions, deviceGroup }) =>
    RoleRule.parse({ resource, actions, deviceGroup }),
  )
}

/** Rules and paths that a body names, checked; undefined where it names none. */
// oxlint-disable-next-line max-params -- what a body names beside what the role has
export async function contentsOf(
  db: Kysely<CoreDb>,
  { organization }: Pick<OrgCtx, 'organization'>,
  { rules, applicationPermissions, devicePermission, modelPathPermissions }: Contents,
  seen: readonly RoleRule[] = [],
) {
  const named = rules ?? applicationPermissions ?? devicePermission
  // Named alone, rights on device groups leave those on everything as they are.
  const general = (rules ?? applicationPermissions) ? [] : seen.filter((one) => !one.deviceGroup)
  const all = named && [
    ...(rules ?? general),
    ...rulesOf(permissionsOf(applicationPermissions ?? [])),
    ...(await onDeviceGroups(db, organization.id, devicePermission ?? [])),
  ]
  if (all) await checkGroupsExist(db, organization.id, all)
  const paths =
    modelPathPermissions && (await namedPaths(db, organization.id, modelPathPermissions))
  return { rules: all, paths }
}

const permissionsOf = (ids: readonly number[]): Permission[] =>
  ids.map((id) => {
    const permission = permissionOfId(id)
    if (permission) return permission
    throw failure(coreContract, 'no_such_permission', {
      field: 'applicationPermissions',
      message: `There is no permission ${id}; see applicationpermissions/all`,
    })
  })

/** Device groups that rules name must be the organization's own. */
async function checkGroupsExist(
  db: Kysely<CoreDb>,
  organizationId: number,
  rules: readonly RoleRule[],
) {
  const ids = rules.flatMap(({ deviceGroup }) => (deviceGroup === null ? [] : [deviceGroup]))
  const known = await policiesByIds(db, organizationId, ids)
  const unknown = ids.find((id) => !known.some((policy) => policy.id === id))
  if (unknown === undefined) return
  const message = `There is no device group ${unknown} in this organization`
  throw failure(coreContract, 'not_in_organization', { field: 'rules', message })
}
