import { type Admission, isOpenBelow } from './admission.ts'
import { condition, type SqlCondition } from './sql-condition.ts'

/** Organizations of a call: one, or one with all below it. */
export type Reach = {
  /** resourceId of the organization. */
  organization: string
  /** Organizations below are part of the reach. */
  subtree: boolean
  /** resourceIds below with private access, which are left out with everything below them. */
  closed?: readonly string[] | undefined
}

type Call = Pick<Admission, 'closed'> & {
  organization: { resourceId: string }
  subtree: boolean
}

/** Reach of a call. */
export const reachOf = ({ organization, subtree, closed }: Call): Reach => ({
  organization: organization.resourceId,
  subtree,
  closed,
})

/** True for an organization (resourceId) within the reach. */
export const isWithin = ({ organization, subtree, closed }: Reach, resourceId: string) =>
  resourceId === organization ||
  (subtree && isOpenBelow({ organization: { resourceId: organization }, closed }, resourceId))

/**
 * The same test as SQL on a column of resourceIds. The range fits a `text_pattern_ops` index; it
 * holds a little more than the tree, such as `a-b` beside `a` and `a.b`, which the rest leaves out.
 */
export function isWithinSql({ subtree, ...reach }: Reach, column: string): SqlCondition {
  const { organization } = reach
  if (!subtree) return condition().text(`${column} = `).value(organization).end()
  const built = condition()
  built.text(`(${column} ~>=~ `).value(organization)
  built.text(` and ${column} ~<~ `).value(`${organization}/`)
  built.text(` and (${column} ~>=~ `).value(`${organization}.`)
  built.text(` or ${column} = `).value(organization).text(')')
  return built.add(isOpenSql(reach, column)).text(')').end()
}

/** SQL for the organizations below that of the reach, without it: `/` follows `.` in order of bytes. */
export function isBelowSql(reach: Omit<Reach, 'subtree'>, column: string): SqlCondition {
  const { organization } = reach
  const built = condition()
  built.text(`(${column} ~>=~ `).value(`${organization}.`)
  built.text(` and ${column} ~<~ `).value(`${organization}/`)
  return built.add(isOpenSql(reach, column)).text(')').end()
}

function isOpenSql({ closed = [] }: Pick<Reach, 'closed'>, column: string) {
  const built = condition()
  for (const one of closed) {
    built.text(` and ${column} <> `).value(one)
    built.text(` and ${column} not like `).value(`${one.replace(/[\\%_]/g, '\\$&')}.%`)
  }
  return built.end()
}
