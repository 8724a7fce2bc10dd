import type { Action, Permission, Resource } from '@longreach/authorization/permissions'

const change: readonly Action[] = ['read', 'create', 'update', 'delete']

/** Which actions mean something on which resource, in the groups of the matrix. */
export const matrix: {
  group: string
  rows: { resource: Resource; actions: readonly Action[] }[]
}[] = [
  {
    group: 'machines',
    rows: [
      { resource: 'devices', actions: [...change, 'access'] },
      { resource: 'devicegroups', actions: change },
      { resource: 'models', actions: change },
      { resource: 'alarms', actions: ['read', 'ack', 'reset', 'clear'] },
      { resource: 'vpn', actions: [...change, 'access'] },
    ],
  },
  {
    group: 'work',
    rows: [
      { resource: 'dashboards', actions: change },
      { resource: 'notifications', actions: change },
      { resource: 'triggers', actions: change },
      { resource: 'products', actions: change },
    ],
  },
  {
    group: 'administration',
    rows: [
      { resource: 'portal', actions: ['access'] },
      { resource: 'users', actions: change },
      { resource: 'usergroups', actions: change },
      { resource: 'roles', actions: change },
      { resource: 'organizations', actions: change },
      { resource: 'audit', actions: ['read', 'access'] },
    ],
  },
]

/** The columns of the matrix, in their order. */
export const columns: readonly Action[] = [
  'read',
  'create',
  'update',
  'delete',
  'access',
  'ack',
  'reset',
  'clear',
]

const meaningful = new Set(
  matrix.flatMap(({ rows }) =>
    rows.flatMap(({ resource, actions }) => actions.map((action) => `${resource}:${action}`)),
  ),
)

/** Does the right open anything? A role may hold others that nothing asks for. */
export const means = (right: Permission) => meaningful.has(right)
