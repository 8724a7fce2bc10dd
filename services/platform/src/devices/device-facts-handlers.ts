import { readRefusal } from '@longreach/device-protocol/refusals'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { rangeAsked, timeAsked } from '../times/asked-time.ts'
import { configurationOf, configurationsOf } from './configuration-history.ts'
import { connectionsOf, flappingOf, uptimeOf } from './connection-store.ts'
import { platformContract } from '../contract.ts'
import { deviceFor } from './device-access.ts'
import type { deviceFactsEndpoints } from './device-facts-contract.ts'
import { type LogRow, logOf } from './device-log-store.ts'
import { findState } from './device-state-store.ts'
import { onPathOrStruct, seesAllPaths, valueAccess } from './path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from './devices-state.ts'

type FactsHandlers = Pick<Handlers<typeof platformContract>, keyof typeof deviceFactsEndpoints>

/** A device's line, log and configurations. */
export const deviceFactsHandlers = (
  { directory, deviceLog }: DevicesState,
  { db }: PlatformDeps,
): FactsHandlers => ({
  connections: async ({ params: { deviceId }, query }, ctx) => {
    const device = await deviceFor(directory, ctx, deviceId)
    const asked = { ...rangeAsked(query, ctx.now), limit: query.limit }
    const connections = await connectionsOf(db, device, asked)
    return {
      connected: (await findState(db, device.id))?.connected ?? false,
      connections: connections.map(({ from, to, ip }) => ({
        from: from.getTime(),
        to: to?.getTime() ?? null,
        ip,
      })),
      uptime: await uptimeOf(db, device, ctx.now),
      flapping: await flappingOf(db, device, ctx.now),
    }
  },

  deviceLog: async ({ params: { deviceId }, query }, ctx) => {
    const device = await deviceFor(directory, ctx, deviceId)
    const since = timeAsked(query.fromTimestamp, 'fromTimestamp', ctx.now)
    const to = timeAsked(query.toTimestamp, 'toTimestamp', ctx.now)
    await deviceLog.flush()
    const { showSystem: system, limit } = query
    const asked = { since, to, system, limit, now: ctx.now }
    const { last } = valueAccess(ctx, device)
    // What names no path may be of any.
    const all = seesAllPaths(ctx, device)
    const rows = await logOf(db, device, asked)
    return rows
      .filter(({ path }) => (path === null ? all : onPathOrStruct(last, path)))
      .map(toLogEntry)
  },

  configurations: async ({ params: { deviceId } }, ctx) => {
    const device = await deviceFor(directory, ctx, deviceId)
    const rows = await configurationsOf(db, device)
    return rows.map((row) => ({
      version: row.version,
      at: row.made_at.getTime(),
      by: row.made_by,
      none: row.hash === null,
      sentAt: row.sent_at?.getTime() ?? null,
      appliedAt: row.applied_at?.getTime() ?? null,
      error: row.error,
    }))
  },

  configurationVersion: async ({ params: { deviceId, version } }, ctx) => {
    const device = await deviceFor(directory, ctx, deviceId)
    const text = await configurationOf(db, device, version)
    if (text === undefined) {
      const message = `the device has no configuration ${version}`
      throw failure(platformContract, 'not_found', { message })
    }
    // It names every path of the device.
    const shows = text !== null && seesAllPaths(ctx, device)
    return { version, configurationJson: shows ? (JSON.parse(text) as unknown) : null }
  },
})

function toLogEntry({ id, at, system, level, path, data }: LogRow) {
  const said = data as Record<string, unknown> // the table's column is an object
  const text = (key: string) => (typeof said[key] === 'string' ? said[key] : null)
  const number = (key: string) => (typeof said[key] === 'number' ? said[key] : null)
  return {
    id,
    at: at.getTime(),
    system,
    level,
    kind: text('kind') ?? 'message',
    modelPath: path,
    direction: text('direction'),
    topic: text('topic'),
    bytes: number('bytes'),
    reason: text('reason'),
    refusal: readRefusal(text('reason') ?? '') ?? null,
    ...('value' in said && { value: said['value'] }),
    head: text('head'),
    count: number('count'),
  }
}
