import { canAlarmInSight } from '@longreach/authorization/alarm-visibility'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { rangeAsked } from '../times/asked-time.ts'
import { platformContract } from '../contract.ts'
import { deviceFor } from '../devices/device-access.ts'
import type { Device } from '../devices/device.ts'
import { type MomentRow, timeLineOf } from '../moments/moment-store.ts'
import { onPathOrStruct, valueAccess } from '../devices/path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import { alarmKinds, momentsOfDevices } from './device-log.ts'

/** Reading what happened to a device. */
export const timeLineHandlers = (
  { directory }: DevicesState,
  { db }: PlatformDeps,
): Pick<Handlers<typeof platformContract>, 'timeline' | 'timelineOfDevices'> => ({
  timelineOfDevices: async ({ query }, ctx) => {
    const before = query.before === undefined ? undefined : readCursor(query.before)
    const { without, text, person, device, limit } = query
    const asked = { ...rangeAsked(query, ctx.now), without, text, person, device, before, limit }
    const rows = await momentsOfDevices(db, ctx, asked)
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      data: rows
        .filter((row) => momentTest(ctx, row)(row))
        .map((row) => ({
          ...toEntry(row, ctx),
          deviceId: row.device_id,
          device: row.label,
          orgResourceId: row.org,
        })),
      next: last ? cursorOf(last) : null,
    }
  },

  timeline: async ({ params: { deviceId }, query }, ctx) => {
    const device = await deviceFor(directory, ctx, deviceId)
    const before = query.before === undefined ? undefined : readCursor(query.before)
    const { kind: kinds, limit } = query
    const asked = { ...rangeAsked(query, ctx.now), kinds, before, limit, now: ctx.now }
    const rows = await timeLineOf(db, device, asked)
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      data: rows.filter(momentTest(ctx, device)).map((row) => toEntry(row, ctx)),
      next: last ? cursorOf(last) : null,
    }
  },
})

/** Test of the entries that the caller sees; entries of paths that they may not see are left out. */
export function momentTest(ctx: OrgCtx, { org, groups }: Pick<Device, 'org' | 'groups'>) {
  const { last } = valueAccess(ctx, { org, groups })
  return ({ kind, path, data }: Pick<MomentRow, 'kind' | 'path' | 'data'>) =>
    alarmKinds.includes(kind)
      ? canAlarmInSight(ctx, { org, groups, paths: pathsOfAlarm(path, data) })
      : path === null || onPathOrStruct(last, path)
}

/** Paths that the rule of an alarm judges; null for an alarm of the device itself. */
function pathsOfAlarm(path: string | null, data: unknown): string[] | null {
  const { otherPaths } = data as { otherPaths?: string[] } // alarms writes it
  if (path === null && otherPaths === undefined) return null
  return [...(path === null ? [] : [path]), ...(otherPaths ?? [])]
}

const toEntry = (row: MomentRow, { caller }: OrgCtx) => ({
  id: row.id,
  at: row.at.getTime(),
  until: row.until?.getTime() ?? null,
  kind: row.kind,
  by: row.by_name,
  own: row.kind === 'comment' && row.by_sub === caller.sub,
  modelPath: row.path,
  data: row.data as Record<string, unknown>, // the table's column is an object
})

const cursorOf = ({ at, id }: MomentRow) => `${at.getTime()}:${id}`

function readCursor(text: string) {
  const [, at, id] = /^(-?\d{1,16}):([0-9a-f-]{36})$/.exec(text) ?? []
  if (at !== undefined && id !== undefined && uuid.test(id)) {
    return { at: new Date(Number(at)), id }
  }
  const message = 'before is the `next` of an answer'
  throw failure(platformContract, 'bad_query', { message, field: 'before' })
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
