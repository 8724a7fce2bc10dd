import { type DeviceColumns, inCallSql } from '@longreach/authorization/device-visibility'
import { isWithinSql, reachOf } from '@longreach/authorization/reach'
import { condition } from '@longreach/authorization/sql-condition'
import type { OrgCtx } from '@longreach/kit/service'
import type { Seen } from './rule-store.ts'

const columns: DeviceColumns = {
  organization: 'device.org',
  groups: ['device.groups && ', '::int[]'],
}

/** Organizations from one up to its root, nearest first: `a.b`, `a`. */
export function chainOf(resourceId: string): string[] {
  const parts = resourceId.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}

/** Rules that a call may see: those of its organizations, and those from above that reach down to them. */
export function rulesInSight(ctx: OrgCtx): Seen {
  const [, ...above] = chainOf(ctx.organization.resourceId)
  const rules = condition()
    .text('(')
    .add(isWithinSql(reachOf(ctx), 'rule.org'))
    .text(' or (rule.below and rule.org = any(')
    .value(above)
    .text('::text[])))')
    .end()
  return { rules, devices: inCallSql(ctx, 'read', columns) }
}

/** Rules that a call may change: those of its organizations. */
export const rulesOfCall = (ctx: OrgCtx): Seen => ({
  rules: isWithinSql(reachOf(ctx), 'rule.org'),
  devices: inCallSql(ctx, 'read', columns),
})
