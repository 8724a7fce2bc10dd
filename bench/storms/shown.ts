import type pg from 'pg'
import type { Calls } from '../../e2e/src/calls.ts'
import { owner } from '../../e2e/src/server-group.ts'
import type { Balancer } from './balancer.ts'
import type { Absence, Known } from './device-states.ts'
import { modelPath } from './fleet.ts'

/** Time after which what is shown of a device must be right. */
const rightWithinMs = 20_000
/** Grace time of the platform. */
const graceMs = 5_000

/** Time by which the loss of a killed process may be dated back: to the last time that it said it works. */
const beatMs = 6_000

type Options = { pool: pg.Pool; balancer: Balancer; ids: readonly string[] }

/** States that the database and the API show of the devices, compared with those that they have. */
export function createShown({ pool, balancer, ids }: Options) {
  const { known } = balancer
  const numbers = new Map(ids.map((id, device) => [id, device]))
  const connectedAfter = async (table: 'mappings.device' | 'platform.device_state') => {
    const column = table === 'mappings.device' ? 'id' : 'device_id'
    const { rows } = await pool.query<{ id: string }>(
      `select /* bench storms */ ${column} as id from ${table} where connected`,
    )
    return new Set(rows.flatMap(({ id }) => numbers.get(id) ?? []))
  }
  return {
    /** Devices that are shown as connected. */
    connected: () => connectedAfter('mappings.device'),
    /** Devices that have been shown wrongly for longer than they may be. */
    async lateOnes() {
      const now = Date.now()
      const shown = await connectedAfter('mappings.device')
      return known.flatMap((one, device) => {
        const isLate = one.since < now - rightWithinMs
        return isLate && shown.has(device) !== (one.state === 'connected') ? [device] : []
      })
    },
    /**
     * Devices that have a disconnection in their history since a time which they never had: they were away for
     * less than the grace time.
     */
    async wrongDisconnections(since: Date, absences: readonly Absence[]) {
      const { rows } = await pool.query<{ id: string; at: Date }>(
        `select /* bench storms */ device_id as id, at from platform.connection_event where not connected and at >= $1`,
        [new Date(since.getTime() - beatMs)],
      )
      const longest = new Map<number, number>()
      for (const { device, from, to } of absences)
        longest.set(device, Math.max(to - from, longest.get(device) ?? 0))
      const all = new Set(rows.flatMap(({ id }) => numbers.get(id) ?? []))
      const wrong = [...all].flatMap((device) => {
        const awayMs = known[device]?.state === 'connected' ? (longest.get(device) ?? 0) : Infinity
        return awayMs < graceMs ? [{ device, awayMs }] : []
      })
      return { all: all.size, wrong }
    },
    /** All that is wrong in the end, in words. */
    async faults(call: Calls, pids: readonly number[]) {
      const sets = {
        platform: await connectedAfter('platform.device_state'),
        mappings: await connectedAfter('mappings.device'),
        API: await connectedByApi(call, numbers),
      }
      const lines = await linesOf(pool, numbers)
      const values = await valuesOf(call, ids)
      return known.flatMap((one, device) => {
        const isConnected = one.state === 'connected'
        const wrong = Object.entries(sets).flatMap(([name, set]) =>
          set.has(device) === isConnected ? [] : [`${name} shows ${set.has(device)}`],
        )
        const pid = lines.get(device)
        if (isConnected && pid !== pids[one.server]) wrong.push(`its line is at process ${pid}`)
        const value = values.get(device) ?? 0
        if (value < one.served)
          wrong.push(`value ${one.served} was acknowledged, the newest is ${value}`)
        return wrong.map((what) => `${textOf(device, one)}: ${what}`)
      })
    },
  }
}
export type Shown = ReturnType<typeof createShown>

const textOf = (device: number, { state, server }: Known) =>
  `device ${device}, ${state}, server ${server}`

const pageSize = 10_000

async function connectedByApi(call: Calls, numbers: ReadonlyMap<string, number>) {
  const all = new Set<number>()
  for (let page = 0; page * pageSize < numbers.size; page += 1) {
    const path = `mappings/api/v1/devices?organization=${owner.organization}&pageSize=${pageSize}&page=${page}`
    const { data } = await call<{ data: { id: string; connected: boolean }[] }>('GET', path)
    for (const { id, connected } of data) {
      const device = numbers.get(id)
      if (connected && device !== undefined) all.add(device)
    }
  }
  return all
}

/** Operating system's number of the process that each device has its line at. */
async function linesOf(pool: pg.Pool, numbers: ReadonlyMap<string, number>) {
  const { rows } = await pool.query<{ id: string; pid: number }>(
    `select l.device_id as id, substring(p.name from '[0-9]+$')::int as pid
     from platform.line l join bus.process p on p.number = l.node where l.lost_at is null`,
  )
  return new Map(rows.flatMap(({ id, pid }) => [[numbers.get(id) ?? -1, pid] as const]))
}

const sourcesAtOnce = 1_000
type Tags = { deviceId: string; data: [number, number][] }[]

/** Newest value that is stored of each device. */
async function valuesOf(call: Calls, ids: readonly string[]) {
  const found = new Map<number, number>()
  const path = `platform/api/v1/organizations/${owner.organization}/devices/tags/query`
  for (let from = 0; from < ids.length; from += sourcesAtOnce) {
    const some = new Map(ids.slice(from, from + sourcesAtOnce).map((id, n) => [id, from + n]))
    const sources = [...some.keys()].map((deviceId) => ({ deviceId, modelPath }))
    const answer = await call<Tags>('POST', path, { sources, limit: 1 })
    for (const { deviceId, data } of answer) {
      const value = data.at(-1)?.[1]
      const device = some.get(deviceId)
      if (value !== undefined && device !== undefined) found.set(device, value)
    }
  }
  return found
}
