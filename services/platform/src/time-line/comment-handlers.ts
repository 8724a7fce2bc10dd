import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { rangeAsked, timeAsked } from '../times/asked-time.ts'
import { platformContract } from '../contract.ts'
import type { Device } from '../devices/device.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import { deviceFor } from '../devices/device-access.ts'
import {
  commentsOf,
  deleteComment,
  insertComment,
  lockComment,
  type MomentDb,
  type MomentRow,
  newMomentId,
  updateComment,
} from '../moments/moment-store.ts'
import { onPathOrStruct, valueAccess } from '../devices/path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import { momentTest } from './time-line-handlers.ts'

type CommentHandlers = Pick<
  Handlers<typeof platformContract>,
  'comments' | 'searchComments' | 'addComment' | 'editComment' | 'deleteComment'
>

/** Handlers of comments on a device. */
export function commentHandlers({ directory }: DevicesState, deps: PlatformDeps): CommentHandlers {
  const db: Kysely<MomentDb> = deps.db
  return {
    comments: async ({ params: { deviceId }, query }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const asked = { ...rangeAsked(query, ctx.now), limit: query.limit }
      const rows = await commentsOf(db, [device], asked)
      return rows.filter(momentTest(ctx, device)).map((row) => toComment(row, ctx))
    },

    searchComments: async ({ body }, ctx) => {
      const devices = new Map<string, Device>()
      for (const id of body.deviceIds) devices.set(id, await deviceFor(directory, ctx, id))
      const asked = { ...rangeAsked(body, ctx.now), limit: body.limit }
      const rows = await commentsOf(db, [...devices.values()], asked)
      const tests = new Map([...devices].map(([id, device]) => [id, momentTest(ctx, device)]))
      return rows.filter((row) => tests.get(row.device_id)?.(row)).map((row) => toComment(row, ctx))
    },

    addComment: async ({ params: { deviceId }, body }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const path = body.modelPath ?? null
      if (path !== null) requireVisiblePath(ctx, device, path)
      const { sub, username } = ctx.caller
      const row = {
        id: newMomentId(),
        device_id: device.id,
        org: device.org,
        ...stretch(
          timeAsked(body.at, 'at', ctx.now) ?? ctx.now,
          timeAsked(body.until, 'until', ctx.now),
        ),
        kind: 'comment',
        path,
        by_name: username,
        by_sub: sub,
        data: { text: body.text },
        made_at: ctx.now,
        edited_at: null,
      }
      await insertComment(db, row)
      return toComment(row, ctx)
    },

    editComment: async ({ params: { deviceId, id }, body }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      return db.transaction().execute(async (tx) => {
        const row = await requireComment(ctx, device, id, await lockComment(tx, device, id))
        if (row.by_sub !== ctx.caller.sub)
          throw commentOfAnother('Only who wrote a comment may change it.')
        const until = body.until === undefined ? row.until : timeAsked(body.until, 'until', ctx.now)
        const when = stretch(timeAsked(body.at, 'at', ctx.now) ?? row.at, until)
        const path = body.modelPath === undefined ? row.path : body.modelPath
        if (path !== null && path !== row.path) requireVisiblePath(ctx, device, path)
        const change = { ...when, path, text: body.text, editedAt: ctx.now }
        return toComment(await updateComment(tx, id, change), ctx)
      })
    },

    deleteComment: async ({ params: { deviceId, id } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      await db.transaction().execute(async (tx) => {
        const row = await requireComment(ctx, device, id, await lockComment(tx, device, id))
        if (row.by_sub !== ctx.caller.sub && !canInSight(ctx, 'update', device)) {
          throw commentOfAnother(
            'A comment of another person is deleted by who may change the device.',
          )
        }
        await deleteComment(tx, id)
      })
    },
  }
}

const commentOfAnother = (message: string) =>
  failure(platformContract, 'comment_of_another', { message })

async function requireComment(ctx: OrgCtx, device: Device, id: string, row: MomentRow | undefined) {
  if (row && momentTest(ctx, device)(row)) return row
  throw failure(platformContract, 'not_found', { message: `no comment ${id} on this device`, id })
}

function requireVisiblePath(ctx: OrgCtx, device: Device, path: string) {
  if (device.byPath.has(path) && onPathOrStruct(valueAccess(ctx, device).last, path)) return
  throw failure(platformContract, 'no_such_path', {
    message: `the device's configuration has no path ${path}`,
    field: 'modelPath',
  })
}

function stretch(at: Date, until: Date | null | undefined) {
  if (!until || until >= at) return { at, until: until ?? null }
  const message = 'a comment ends no earlier than it begins'
  throw failure(platformContract, 'bad_query', { message, field: 'until' })
}

type CommentRow = Omit<MomentRow, 'data'> & { data: unknown }
const toComment = (row: CommentRow, { caller }: OrgCtx) => ({
  id: row.id,
  deviceId: row.device_id,
  at: row.at.getTime(),
  until: row.until?.getTime() ?? null,
  text: (row.data as { text: string }).text, // `addComment` writes it so
  modelPath: row.path,
  by: row.by_name ?? '',
  own: row.by_sub === caller.sub,
  madeAt: row.made_at.getTime(),
  editedAt: row.edited_at?.getTime() ?? null,
})
