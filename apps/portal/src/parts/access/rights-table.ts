import {
  type Action,
  isOffered,
  type Permission,
  type Resource,
  resourceFacts,
} from '@longreach/authorization/permissions'

const inOrder = Object.keys(resourceFacts) as Resource[] // a record of all of them
const rowsOf = (group: string) =>
  inOrder
    .filter((resource) => resourceFacts[resource].group === group)
    .map((resource) => ({ resource, actions: resourceFacts[resource].actions }))

/** Actions that mean something on a resource, in the groups of the table. */
export const everyRow = (['machines', 'work', 'administration'] as const).map((group) => ({
  group,
  rows: rowsOf(group),
}))

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
