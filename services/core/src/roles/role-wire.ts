import { regExpOf } from '@longreach/authorization/model-path'
import type { ModelPath, ModelPathPermission } from './model-path-contract.ts'
import { permissionsOfRules } from './permission-ids.ts'
import type { GeneralPermission, Role, RoleRule } from './role-contract.ts'
import type { RoleRow } from './role-store.ts'

/** A role as the wire shows it. */
export function toRole(row: RoleRow, orgResourceId: string): Role {
  const rules = row.rules.map(({ resource, actions, deviceGroup, vpnName }) => ({
    resource,
    actions,
    deviceGroup,
    vpnName,
  }))
  return {
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
    deviceGeneralPermission: generalPermissionOf(rules, 'devices'),
    vpnGeneralPermission: generalPermissionOf(rules, 'vpn'),
    enableAccessToApp: rules.some(
      ({ resource, actions }) => resource === 'portal' && actions.includes('access'),
    ),
    applicationPermissions: permissionsOfRules(rules),
    devicePermissions: row.rules.flatMap(({ id, deviceGroup, groupName, ...rule }) =>
      deviceGroup === null
        ? []
        : [
            {
              id,
              deleted: false,
              name: groupName ?? '',
              modelRole: generalPermissionOf([{ ...rule, deviceGroup }], 'devices'),
              deviceGroup,
            },
          ],
    ),
    inherit: row.inherit,
    rules,
    modelPathPermissions: toModelPaths(row),
  }
}

/** General permission: ADMINISTRATOR with the right to change, REGULAR_USER with the right to see or reach. */
function generalPermissionOf(
  rules: readonly RoleRule[],
  resource: 'devices' | 'vpn',
): GeneralPermission {
  const own = rules.filter((rule) => rule.resource === resource)
  return generalPermissionBy((action) => own.some(({ actions }) => actions.includes(action)))
}

/** The same from a question about single actions. */
export function generalPermissionBy(may: (action: 'read' | 'access' | 'update') => boolean) {
  if (may('update')) return 'ADMINISTRATOR'
  return may('read') || may('access') ? 'REGULAR_USER' : 'NONE'
}

export const toModelPaths = ({ paths }: Pick<RoleRow, 'paths'>): ModelPathPermission[] =>
  paths.map(({ id, path, history, read, write }) => ({
    modelPath: toModelPath({ id, path }),
    history,
    read,
    write,
  }))

export const toModelPath = ({ id, path }: { id: number; path: string }): ModelPath => ({
  id,
  mode: path.includes('*') ? 'PATTERN' : 'EXACT',
  path,
  pathRegExp: regExpOf(path),
})
