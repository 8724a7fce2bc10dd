import { seesAllDevices } from '@longreach/authorization/device-visibility'
import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import type { MappingsDeps } from '../deps.ts'
import { devicesFor, trashFor } from '../reach.ts'
import { segmentCondition } from './segment-condition.ts'
import { conditionsOf, type DeviceFilters } from './device-search.ts'
import type { DeviceQuestion } from './search-contract.ts'

type Asking = Pick<MappingsDeps, 'db' | 'clients'>
type Question = DeviceFilters & { segment?: string | undefined; data?: string | undefined }

/** The devices that the caller may read and that fit. */
export const devicesWhere = async (deps: Asking, ctx: OrgCtx, question: Question) =>
  joined(devicesFor(ctx, 'read'), await conditions(deps, ctx, question))

const paging = new Set([
  'organization',
  'page',
  'pageSize',
  'orderBy',
  'orderDir',
  'scroll',
  'scrollId',
])

/** Check for a question without filters about one organization of which the caller sees all devices. */
export const asksForAll = (ctx: OrgCtx, question: object) =>
  !ctx.subtree &&
  seesAllDevices(ctx.capability) &&
  Object.entries(question).every(
    ([name, value]) => paging.has(name) || value === undefined || value === null || value === '',
  )

/** The devices in the trash that the caller may bring back and that fit. */
export const trashWhere = async (deps: Asking, ctx: OrgCtx, question: Question) =>
  joined(trashFor(ctx), await conditions(deps, ctx, question))

/** A posted question as filters. */
export const filtersOf = ({ data, filters, ...question }: DeviceQuestion): Question => ({
  ...filters,
  ...question,
  expression: data,
})

async function conditions(deps: Asking, ctx: OrgCtx, question: Question) {
  const { data, expression = data } = question
  const parts = await conditionsOf(deps, ctx, { ...question, expression })
  if (!question.segment) return parts
  return [...parts, await segmentCondition(deps, ctx, question.segment)]
}

const joined = (visible: RawBuilder<boolean>, parts: RawBuilder<boolean>[]) =>
  sql<boolean>`(${sql.join([visible, ...parts], sql` and `)})`
