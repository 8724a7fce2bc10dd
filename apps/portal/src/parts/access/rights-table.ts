import type { Action, Permission, Resource } from '@longreach/authorization/permissions'
import { isOffered } from '@longreach/authorization/product-capabilities'

const change: readonly Action[] = ['read', 'create', 'update', 'delete']

type Row = { resource: Resource; actions: readonly Action[] }

/** Which actions mean something on which resource, in the groups of the matrix. */
export const everyRow: readonly { group: string; rows: readonly Row[] }[] = [
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

const everyColumn: readonly Action[] = [
  'read',
  'create',
  'update',
  'delete',
  'access',
  'ack',
  'reset',
  'clear',
]

/** Groups and rows of the matrix, of what this version of the product has. */
export const rightsTable = () =>
  everyRow
    .map(({ group, rows }) => ({
      group,
      rows: rows.filter(({ resource }) => isOffered(resource)),
    }))
    .filter(({ rows }) => rows.length > 0)

const offeredRows = () => rightsTable().flatMap(({ rows }) => rows)

/** The columns of the matrix, in their order; each has a right in some row. */
export function rightsColumns() {
  const rows = offeredRows()
  return everyColumn.filter((action) => rows.some(({ actions }) => actions.includes(action)))
}

/** Does the right open anything? A role may hold others that nothing asks for. */
export const means = (right: Permission) =>
  offeredRows().some(({ resource, actions }) =>
    actions.some((action) => right === `${resource}:${action}`),
  )
