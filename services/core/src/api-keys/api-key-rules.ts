import type { Permission } from '@longreach/authorization/permissions'

/** Live keys of one owner in one organization: the one in use, and the next while it is exchanged. */
export const mostLiveKeys = 2

const administration = ['users', 'usergroups', 'roles']

/** Check for a permission that keys can have: they cannot administer people, so that a leaked key cannot extend its rights. */
export const mayKeyHold = (permission: Permission) => {
  const [resource = '', action] = permission.split(':')
  return action === 'read' || !administration.includes(resource)
}

const named = ['organizations:create', 'organizations:update', 'organizations:delete']

/** Check for a default permission: changing organizations and reading the audit trail must be requested by name. */
export const isUsual = (permission: Permission) =>
  !named.includes(permission) && !permission.startsWith('audit:')
