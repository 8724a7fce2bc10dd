import { can } from '@longreach/authorization/can'
import { isWithin, reachOf } from '@longreach/authorization/reach'
import type { OrgCtx } from '@longreach/kit/service'
import type { AlarmsDeps } from '../deps.ts'
import type { RuleRow } from './rule-store.ts'

type Row = RuleRow & { open?: number }
const changes = ['update', 'delete'] as const

/** Rules as people see them, each with what the caller may do with it in its organization. */
export async function toStoredRules(deps: AlarmsDeps, ctx: OrgCtx, rows: readonly Row[]) {
  const orgs = [...new Set(rows.map(({ org }) => org))]
  const rights = await Promise.all(orgs.map((org) => rightsIn(deps, ctx, org)))
  const may = new Map(orgs.map((org, index) => [org, rights[index] ?? []]))
  return rows.map((row) => toStoredRule(row, may.get(row.org) ?? []))
}

/** Changes that the caller may make in an organization of the call; none in one above it. */
async function rightsIn({ admit }: AlarmsDeps, ctx: OrgCtx, org: string) {
  if (!isWithin(reachOf(ctx), org)) return []
  const isHere = org === ctx.organization.resourceId
  const admission = isHere && !ctx.subtree ? ctx : await admit(ctx.caller, org)
  return admission ? changes.filter((one) => can(admission.capability, 'alarms', one)) : []
}

const toStoredRule = (row: Row, may: (typeof changes)[number][]) => ({
  id: row.id,
  orgResourceId: row.org,
  version: row.version,
  below: row.below,
  rule: { ...row.rule },
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  updatedBy: row.updated_by,
  modelOrganization: row.model_org,
  may,
  open: row.open ?? 0,
})
