import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { platformContract } from '../contract.ts'
import type { Device } from '../devices/device.ts'
import { deviceFor } from '../devices/device-access.ts'
import { onPathOrStruct, valueAccess } from '../devices/path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { Known } from './known.ts'
import { recordWrites, valuesBefore } from './write-moments.ts'
import { requireWritable } from './path-writing.ts'
import { writeTags } from './device-writing.ts'
import { checkWishes } from './tag-writing.ts'
import {
  decide,
  insertRequest,
  mostWaiting,
  reopen,
  requestOf,
  requestsOf,
  secondPersonFrom,
  setResult,
  setSecondPerson,
  type WriteDb,
  type WriteRequestRow,
} from './write-request-store.ts'

type WriteHandlers = Pick<
  Handlers<typeof platformContract>,
  | 'writePolicy'
  | 'setWritePolicy'
  | 'writeRequests'
  | 'requestWrite'
  | 'approveWrite'
  | 'refuseWrite'
>

/** Values that are written with the consent of a second person. */
export function writeRequestHandlers(known: Known, deps: PlatformDeps): WriteHandlers {
  const { directory } = known
  const db: Kysely<WriteDb> = deps.db
  const policyOf = async (org: string) => {
    const from = await secondPersonFrom(db, org)
    return { secondPerson: from !== undefined, from: from ?? null }
  }
  return {
    writePolicy: (_, { organization }) => policyOf(organization.resourceId),

    setWritePolicy: async ({ body }, { organization }) => {
      await setSecondPerson(db, organization.resourceId, body.secondPerson)
      return policyOf(organization.resourceId)
    },

    writeRequests: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const { last } = valueAccess(ctx, device)
      const rows = await requestsOf(db, device, ctx.now)
      return rows
        .filter(({ path }) => onPathOrStruct(last, path))
        .map((row) => toWriteRequest(row, ctx))
    },

    requestWrite: async ({ params: { deviceId }, body }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      const { modelPath, v, reason, expiresInMs } = body
      requireWritable(ctx, device, modelPath)
      checkWishes(device, [{ modelPath, v }])
      const before = await valuesBefore(known, device, [{ modelPath }])
      const row: WriteRequestRow = {
        id: crypto.randomUUID(),
        device_id: device.id,
        org: device.org,
        path: modelPath,
        value: v ?? null,
        before: before.get(modelPath) ?? null,
        reason: reason ?? null,
        by_sub: ctx.caller.sub,
        by_name: ctx.caller.username,
        acting_sub: ctx.caller.impersonator?.sub ?? null,
        at: ctx.now,
        expires_at: new Date(ctx.now.getTime() + expiresInMs),
        state: 'waiting',
        decided_by: null,
        decided_at: null,
        result: null,
      }
      if (!(await insertRequest(db, row))) throw tooManyRequests()
      return toWriteRequest(row, ctx)
    },

    approveWrite: async ({ params: { deviceId, id }, body: { timeoutMs } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      const row = await requireRequest(db, ctx, device, id)
      requireWritable(ctx, device, row.path)
      requireOtherPerson(ctx, row)
      const decision = { state: 'approved', decided_by: ctx.caller.username, now: ctx.now } as const
      const approved = await decide(db, id, decision)
      if (!approved) throw over()
      const result = await writeApproved({ known, deps, ctx, device, timeoutMs }, approved)
      return toWriteRequest({ ...approved, result }, ctx)
    },

    refuseWrite: async ({ params: { deviceId, id } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId, 'update')
      const row = await requireRequest(db, ctx, device, id)
      if (row.by_sub !== ctx.caller.sub) requireWritable(ctx, device, row.path)
      const decision = { state: 'refused', decided_by: ctx.caller.username, now: ctx.now } as const
      const refused = await decide(db, id, decision)
      if (!refused) throw over()
      return toWriteRequest(refused, ctx)
    },
  }
}

type Writing = {
  known: Known
  deps: PlatformDeps
  ctx: OrgCtx
  device: Device
  timeoutMs: number
}

/** Write what was approved. What could not be sent waits on; what was sent is never sent again. */
async function writeApproved(
  { known, deps, ctx, device, timeoutMs }: Writing,
  { id, path, value, by_name, by_sub, reason }: WriteRequestRow,
) {
  const db: Kysely<WriteDb> = deps.db
  const wishes = [{ modelPath: path, v: value }]
  const before = await valuesBefore(known, device, wishes)
  const writing = { known, deps, ctx, timeoutMs, approved: id }
  const written = await writeTags(writing, device, wishes).catch(async (error: unknown) => {
    await reopen(db, id)
    throw error
  })
  const result = written[0]?.status ?? 'sent'
  await setResult(db, id, result)
  const asked = { by: by_name, sub: by_sub, reason: reason ?? undefined }
  const approvedBy = ctx.caller.username
  await recordWrites(deps.db, ctx, device, { wishes, before, written, asked, approvedBy })
  deps.log.info({ by: ctx.caller.sub, device: device.id, id }, 'a requested value was written')
  return result
}

async function requireRequest(db: Kysely<WriteDb>, ctx: OrgCtx, device: Device, id: string) {
  const row = await requestOf(db, device, id)
  if (row && onPathOrStruct(valueAccess(ctx, device).last, row.path)) return row
  const message = `no write request ${id} on this device`
  throw failure(platformContract, 'not_found', { message, id })
}

/** Refuses consent of a person who requested the write, or who acted for that person. */
function requireOtherPerson({ caller }: OrgCtx, row: WriteRequestRow) {
  const asked = [row.by_sub, row.acting_sub]
  const isProgram = caller.serviceAccount === true || caller.apiKey !== undefined
  const isSame = asked.includes(caller.sub) || asked.includes(caller.impersonator?.sub ?? '')
  if (!isProgram && !isSame) return
  throw failure(platformContract, 'second_person_same', {
    message: isProgram
      ? 'a program cannot approve a write; a person must'
      : 'you asked for this write; another person must approve it',
  })
}

const over = () =>
  failure(platformContract, 'write_request_over', {
    message: 'it was decided about before, or its time is over; ask again',
  })

const tooManyRequests = () =>
  failure(platformContract, 'too_many_write_requests', {
    message: `${mostWaiting} requests wait on this device; decide about them first`,
  })

const toWriteRequest = (row: WriteRequestRow, { caller, now }: OrgCtx) => ({
  id: row.id,
  deviceId: row.device_id,
  modelPath: row.path,
  v: row.value,
  before: row.before,
  reason: row.reason,
  by: row.by_name,
  own: row.by_sub === caller.sub,
  at: row.at.getTime(),
  expiresAt: row.expires_at.getTime(),
  state: row.state === 'waiting' && row.expires_at <= now ? ('expired' as const) : row.state,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at?.getTime() ?? null,
  result: row.result,
})
