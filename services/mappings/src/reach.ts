import { isOpenBelow } from '@longreach/authorization/admission'
import { deviceScope } from '@longreach/authorization/to-sql'
import type { Action } from '@longreach/authorization/permissions'
import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'

/** Which organizations a call is about: one, or one and all below it. */
export type Reach = {
  organization: string
  subtree: boolean
  /** Organizations below that a call about all of them leaves out, with what is in them. */
  closed?: readonly string[] | undefined
}

export const reachOf = ({ organization, subtree, closed }: OrgCtx): Reach => ({
  organization: organization.resourceId,
  subtree,
  closed,
})

export const isWithin = ({ organization, subtree, closed }: Reach, resourceId: string) =>
  resourceId === organization ||
  (subtree && isOpenBelow({ organization: { resourceId: organization }, closed }, resourceId))

/** The same as a condition on a column that holds organizations. */
export function within(
  { organization, subtree, closed = [] }: Reach,
  column: string,
): RawBuilder<boolean> {
  const ref = sql.ref(column)
  if (!subtree) return sql<boolean>`${ref} = ${organization}`
  const shut = closed.map((one) => sql` and ${ref} <> ${one} and ${ref} not like ${beneath(one)}`)
  // One range of the text_pattern_ops index, which holds a little more than the tree, like `a-b` beside
  // `a` and `a.b`; what is more is left out by comparing bytes, which takes less than a pattern.
  return sql<boolean>`(${ref} ~>=~ ${organization} and ${ref} ~<~ ${`${organization}/`}
    and (${ref} ~>=~ ${`${organization}.`} or ${ref} = ${organization})${sql.join(shut, sql``)})`
}

const beneath = (organization: string) => `${organization.replace(/[\\%_]/g, '\\$&')}.%`

/** Devices in reach on which the caller may do `action`; none of them is in the trash. */
export const devicesFor = (ctx: OrgCtx, action: Action): RawBuilder<boolean> =>
  sql<boolean>`(device.deleted_at is null and ${allowed(ctx, action)})`

/**
 * Devices here by the rights that hold here, and those below by the rights that reach down, whether or
 * not the call asks for what is below.
 */
export function devicesInSight(ctx: OrgCtx, action: Action): RawBuilder<boolean> {
  const here = devicesFor(ctx, action)
  if (ctx.subtree || !ctx.below) return here
  const capability = ctx.capabilityBelow ?? ctx.capability
  return sql<boolean>`(${here} or ${devicesFor({ ...ctx, capability, subtree: true }, action)})`
}

/** Devices in the trash within reach that the caller may delete, and so see there and bring back. */
export const trashFor = (ctx: OrgCtx): RawBuilder<boolean> =>
  sql<boolean>`(device.deleted_at is not null and ${allowed(ctx, 'delete')})`

const allowed = (ctx: OrgCtx, action: Action): RawBuilder<boolean> =>
  sql<boolean>`(${within(reachOf(ctx), 'device.organization')} and ${inGroupsOf(ctx, action)})`

/** Devices of the groups in which the caller may do `action`, in whatever organization: for numbers. */
export function inGroupsOf({ capability }: OrgCtx, action: Action): RawBuilder<boolean> {
  const scope = deviceScope(capability, action)
  if (!scope) return sql<boolean>`false`
  const lists = scope.map((groups) => sql`device.groups && ${groups}::int[]`)
  return lists.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(lists, sql` and `)})`
}
