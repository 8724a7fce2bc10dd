import { hasCapability, type ProductCapability } from './product-capabilities.ts'

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

type ResourceFacts = {
  /** Group in the table of rights. */
  group: 'machines' | 'work' | 'administration'
  /** Actions that mean something on it. */
  actions: readonly Action[]
  /** Missing in an organization without IoT (specification section 4). */
  iotOnly?: true
  /** Part of the product that it belongs to; absent: always present. */
  capability?: ProductCapability
}

const change: readonly Action[] = ['read', 'create', 'update', 'delete']

/** Facts about each resource type, in the order of the table of rights. */
export const resourceFacts: Record<Resource, ResourceFacts> = {
  devices: { group: 'machines', actions: [...change, 'access'] },
  devicegroups: { group: 'machines', actions: change },
  models: { group: 'machines', actions: change, iotOnly: true },
  alarms: {
    group: 'machines',
    actions: [...change, 'ack', 'reset', 'clear'],
    iotOnly: true,
    capability: 'alarms',
  },
  vpn: { group: 'machines', actions: [...change, 'access'], capability: 'remoteAccess' },
  dashboards: { group: 'work', actions: change, iotOnly: true, capability: 'dashboards' },
  notifications: { group: 'work', actions: change, iotOnly: true, capability: 'notifications' },
  triggers: { group: 'work', actions: change, capability: 'triggers' },
  products: { group: 'work', actions: change, capability: 'licenses' },
  portal: { group: 'administration', actions: ['access'] },
  users: { group: 'administration', actions: change },
  usergroups: { group: 'administration', actions: change },
  roles: { group: 'administration', actions: change },
  organizations: { group: 'administration', actions: change },
  audit: { group: 'administration', actions: ['read', 'access'] },
}

/** Resources that an organization without IoT does not have. */
export const iotOnly = resources.filter((resource) => resourceFacts[resource].iotOnly)

/** True when the part of the product that the resource type belongs to is present. */
export function isOffered(resource: Resource) {
  const { capability } = resourceFacts[resource]
  return capability === undefined || hasCapability(capability)
}
