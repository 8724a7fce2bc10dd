import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { conditionsOf } from './device-search.ts'
import { DeviceQuestion } from './search-contract.ts'
import { findSegment, type SegmentRow } from './segment-store.ts'

type Asking = Pick<MappingsDeps, 'db' | 'clients'>

/** SQL condition for the devices of a segment; 404 for one that the caller does not see. */
export async function segmentCondition(deps: Asking, ctx: OrgCtx, id: string) {
  const row = await findSegment(deps.db, ctx, id)
  if (!row) throw noSegment(id)
  return conditionOfSegment(deps, ctx, row)
}

/** The condition that a segment stands for, without the caller's rights on devices. */
export async function conditionOfSegment(
  deps: Asking,
  ctx: OrgCtx,
  { id, kind, question }: Pick<SegmentRow, 'id' | 'kind' | 'question'>,
): Promise<RawBuilder<boolean>> {
  if (kind === 'picked') {
    return sql<boolean>`device.id in (
      select device_id from mappings.segment_device where segment_id = ${id})`
  }
  const { data, filters, ...rest } = DeviceQuestion.parse(question)
  const parts = await conditionsOf(deps, ctx, { ...filters, ...rest, expression: data })
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`
}

export const noSegment = (id: string) =>
  failure(mappingsContract, 'not_found', { message: 'There is no such segment here.', id })
