import type { Permission } from '@longreach/authorization/permissions'

/** Live keys of one owner in one organization: the one in use, and the next while it is exchanged. */
export const mostLiveKeys = 2

const administration = ['users', 'usergroups', 'roles']

/** A program does not administer people: whoever steals its key must not make themselves at home. */
export const mayKeyHold = (permission: Permission) => {
  const [resource = '', action] = permission.split(':')
  return action === 'read' || !administration.includes(resource)
}

const named = ['organizations:create', 'organizations:update', 'organizations:delete']

/** What a key gets that names no permissions: organizations are changed and the trail is read only by keys that say so. */
export const isUsual = (permission: Permission) =>
  !named.includes(permission) && !permission.startsWith('audit:')
