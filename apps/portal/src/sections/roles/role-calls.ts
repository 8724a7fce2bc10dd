import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, query, stale } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import type { Role } from './role-rights.ts'
import { useRoleLabels } from '../../parts/access/role-text.ts'

/** The roles of the organization; a few hundred at most, so all at once. */
export const rolesQuery = (org: string) =>
  query(api.core.roles, { params: { org }, query: { pageSize: 1000 } })

/** The same with the labels of ready-made roles in the person's language. */
export function useRoles() {
  const org = useSession().organization.resourceId
  return useQuery({ ...rolesQuery(org), select: useRoleLabels() })
}

/** Device groups by name, without each device's own. */
export function useDeviceGroups() {
  const org = useSession().organization.resourceId
  const asked = { params: { org }, query: { pageSize: 1000, type: 'STANDARD' as const } }
  return useQuery(query(api.core.securityPolicies, asked)).data?.content ?? []
}

/** Fields of the role that the person edits. */
export type Draft = Pick<
  Role,
  'label' | 'description' | 'enabled' | 'inherit' | 'rules' | 'modelPathPermissions'
>

/** The parts of a draft that decide about rights, as the wire takes them. */
export const rightsOf = ({ rules, inherit, enabled, modelPathPermissions }: Draft) => ({
  rules,
  inherit,
  enabled,
  modelPathPermissions: modelPathPermissions.map(({ modelPath, ...rights }) => ({
    modelPath: modelPath.path,
    ...rights,
  })),
})

/** Impact of the draft when saved: people with the rights that they lose and gain. */
export function useImpact(roleId: number, draft: Draft, enabled: boolean) {
  const org = useSession().organization.resourceId
  const asked = { params: { org, role: roleId }, body: rightsOf(draft) }
  return useQuery({
    ...query(api.core.roleImpact, asked),
    enabled,
    placeholderData: keepPreviousData,
  })
}

/** After a role was made, changed or taken away. */
export const rolesChanged = () =>
  Promise.all([
    stale(api.core.roles),
    stale(api.core.role),
    stale(api.core.roleImpact),
    stale(api.core.roleAccess),
    stale(api.core.userAccess),
    stale(api.core.deviceAccess),
  ])
