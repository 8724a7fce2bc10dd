/**
 * Resource types and actions of the permission model (specification section 3; `triggers` and `vpn`
 * as public clients list them). The portal and all services use this table.
 */
export const resources = [
  'users',
  'usergroups',
  'roles',
  'devices',
  'devicegroups',
  'organizations',
  'models',
  'dashboards',
  'products',
  'notifications',
  'alarms',
  'portal',
  'audit',
  'triggers',
  'vpn',
] as const
export const actions = [
  'read',
  'create',
  'update',
  'delete',
  'ack',
  'reset',
  'clear',
  'access',
  'inherit',
] as const

export type Resource = (typeof resources)[number]
export type Action = (typeof actions)[number]
/** Permission: resource type and action, for example `devices:read`. */
export type Permission = `${Resource}:${Action}`
