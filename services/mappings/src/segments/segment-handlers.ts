import { can } from '@longreach/authorization/can'
import { AppError, failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { holdLock } from '@longreach/kit/locks'
import type { Kysely } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { conditionsOf } from '../search/device-search.ts'
import { DeviceQuestion } from '../search/search-contract.ts'
import { newId } from '../ids.ts'
import { devicesFor, devicesInSight } from '../reach.ts'
import { conditionOfSegment, noSegment } from '../search/segment-condition.ts'
import type { Segment, segmentEndpoints } from './segment-contract.ts'
import {
  countEach,
  deleteSegment,
  insertSegment,
  isSegmentNameTaken,
  listSegments,
  lockSegment,
  pickDevices,
  type SegmentRow,
  unpickDevices,
  updateSegment,
} from '../search/segment-store.ts'

type Db = Kysely<MappingsDb>
type SegmentHandlers = Pick<Handlers<typeof mappingsContract>, keyof typeof segmentEndpoints>
type Question = Omit<DeviceQuestion, 'segment'>

/** Saved views on the devices: a person's own, and those shared by who may change devices. */
export const segmentHandlers = (deps: MappingsDeps): SegmentHandlers => ({
  segments: async ({ query: { counts } }, ctx) => {
    const rows = await listSegments(deps.db, ctx)
    const numbers = counts ? await countsOf(deps, ctx, rows) : []
    return { data: rows.map((row, place) => toSegment(ctx, row, numbers[place])) }
  },

  createSegment: async ({ body: { name, shared, content } }, ctx) => {
    if (shared) checkMayShare(ctx)
    const question = 'question' in content ? content.question : {}
    await checkQuestion(deps, ctx, question)
    const row = fresh(ctx, { name, shared, question, picked: 'deviceIds' in content })
    return deps.db.transaction().execute(async (tx) => {
      await holdSegmentNames(tx, ctx)
      const made = await insertSegment(tx, row)
      if (!made) throw segmentExists(name)
      if ('deviceIds' in content) {
        const visible = devicesInSight(ctx, 'read')
        await pickDevices(tx, made.id, { ids: content.deviceIds, visible })
      }
      return toSegment(ctx, made)
    })
  },

  updateSegment: async ({ params: { id }, body }, ctx) => {
    if (body.question) await checkQuestion(deps, ctx, body.question)
    return changing(deps.db, ctx, id, async (tx, row) => {
      if (body.question && row.kind === 'picked') {
        const message =
          'This segment holds picked devices; save the filter as a segment of its own.'
        throw failure(mappingsContract, 'segment_is_dynamic', { message, field: 'question' })
      }
      const { name = row.name, shared = row.shared } = body
      if (shared) checkMayShare(ctx)
      if (await isSegmentNameTaken(tx, { ...row, name, shared })) throw segmentExists(name)
      const question = body.question ?? row.question
      return updateSegment(tx, id, { name, shared, question, updated_at: ctx.now })
    })
  },

  changeSegmentDevices: async ({ params: { id }, body: { add, remove } }, ctx) =>
    changing(deps.db, ctx, id, async (tx, row) => {
      if (row.kind === 'dynamic') {
        const message = 'This segment follows its filter; devices are put into picked ones only.'
        throw failure(mappingsContract, 'segment_is_dynamic', { message })
      }
      const visible = devicesInSight(ctx, 'read')
      await unpickDevices(tx, id, remove)
      await pickDevices(tx, id, { ids: add, visible })
      return updateSegment(tx, id, { ...row, updated_at: ctx.now })
    }),

  deleteSegment: async ({ params: { id } }, ctx) => {
    await changing(deps.db, ctx, id, async (tx, row) => {
      await deleteSegment(tx, id)
      return row
    })
  },
})

type Fresh = { name: string; shared: boolean; picked: boolean; question: Question }
const fresh = (ctx: OrgCtx, { name, shared, picked, question }: Fresh): SegmentRow => ({
  id: newId(),
  organization: ctx.organization.resourceId,
  owner: ctx.caller.sub,
  owner_name: ctx.caller.username,
  kind: picked ? 'picked' : 'dynamic',
  created_at: ctx.now,
  updated_at: ctx.now,
  name,
  shared,
  question,
})

/** Names of an organization's segments are given one after the other: a rename checks them before it writes. */
const holdSegmentNames = (tx: Db, { organization }: OrgCtx) =>
  holdLock(tx, 'mappings.segment_names', organization.resourceId)

/** Hold a segment that the caller may change; no two names are given at the same moment. */
const changing = (
  db: Db,
  ctx: OrgCtx,
  id: string,
  change: (tx: Db, row: SegmentRow) => Promise<SegmentRow>,
) =>
  db.transaction().execute(async (tx) => {
    await holdSegmentNames(tx, ctx)
    const row = await lockSegment(tx, ctx, id)
    if (!row) throw noSegment(id)
    if (row.shared) checkMayShare(ctx)
    return toSegment(ctx, await change(tx, row))
  })

const mayShare = ({ capability }: OrgCtx) => can(capability, 'devices', 'update')

/** Check that the caller may change shared segments: throws 403 without the right to change devices. */
function checkMayShare(ctx: OrgCtx) {
  if (mayShare(ctx)) return
  throw new AppError(403, 'auth.missing_permission', {
    permission: 'devices:update',
    message: 'A segment for everybody needs the right to change devices; keep it for yourself.',
  })
}

/** A question that no list could be asked is not kept. */
const checkQuestion = (deps: MappingsDeps, ctx: OrgCtx, { data, filters, ...rest }: Question) =>
  conditionsOf(deps, ctx, { ...filters, ...rest, expression: data })

const segmentExists = (name: string) =>
  failure(mappingsContract, 'segment_exists', {
    message: `There is a segment called ${name}. Take another name.`,
    field: 'name',
  })

/** Number of devices in each segment; segments with the same question are counted once. */
async function countsOf(deps: MappingsDeps, ctx: OrgCtx, rows: readonly SegmentRow[]) {
  const questions = new Map(rows.map((row) => [questionOf(row), row]))
  const conditions = [...questions.values()].map((row) => conditionOfSegment(deps, ctx, row))
  const counts = await countEach(deps.db, devicesFor(ctx, 'read'), await Promise.all(conditions))
  const countOf = new Map([...questions.keys()].map((question, place) => [question, counts[place]]))
  return rows.map((row) => countOf.get(questionOf(row)))
}

/** Key of equal questions of segments; a segment of picked devices has a key of its own. */
const questionOf = ({ id, kind, question }: SegmentRow) =>
  kind === 'picked' ? id : JSON.stringify(question)

const toSegment = (ctx: OrgCtx, row: SegmentRow, count?: number): Segment => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  shared: row.shared,
  own: row.owner === ctx.caller.sub,
  ownerName: row.owner_name,
  mayChange: !row.shared || mayShare(ctx),
  question: DeviceQuestion.parse(row.question),
  ...(count !== undefined && { count }),
  orgResourceId: row.organization,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
})
