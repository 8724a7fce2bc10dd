import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tokensByHttp } from '../../e2e/src/calls.ts'
import { type GroupServer, owner } from '../../e2e/src/server-group.ts'
import type { Lane, Order, Told } from './calls.ts'
import { modelPath, type Plant } from './plant.ts'
import { send, sendHalfHour } from './send.ts'

export const kinds = ['charts', 'values stored', 'lists of devices', 'tickets'] as const
export type Kind = (typeof kinds)[number]

type Options = { plant: Plant; seconds: number; devices: number; lanes: number }

/** Work for all servers at once, evenly; each answers how much of it a second every server did. */
export function createMeasures({ plant, seconds, devices, lanes }: Options) {
  const tokens = new Map<GroupServer, string>()
  const caller = fork(new URL('calls.ts', import.meta.url))
  const callsOf = async (kind: Exclude<Kind, 'values stored'>, servers: readonly GroupServer[]) => {
    const all: Lane[] = []
    for (const [at, server] of servers.entries()) {
      const { deviceId } = plant.charted[(at + 1) % servers.length] ?? plant.first
      const lane = laneOf(kind, { at, server, token: tokens.get(server) ?? '', deviceId })
      all.push(...Array.from({ length: lanes }, () => lane))
    }
    return run(caller, { lanes: all, warmMs: 1_000, measuredMs: seconds * 1_000 })
  }
  return {
    /** Signs in everywhere, for the five minutes of a token. */
    async signIn(servers: readonly GroupServer[]) {
      for (const server of servers) {
        const { access_token: token } = await tokensByHttp(server.own, owner)
        tokens.set(server, token)
      }
    },
    sendHalfHour: (servers: readonly GroupServer[]) => sendHalfHour(plant, servers),
    of: (kind: Kind, servers: readonly GroupServer[]) =>
      kind === 'values stored'
        ? valuesOf(plant, servers, { devices, seconds })
        : callsOf(kind, servers),
    close: () => void caller.kill(),
  }
}

async function run(caller: ChildProcess, order: Order) {
  const told = once(caller, 'message')
  caller.send(order)
  const [answer] = (await told) as [Told]
  if ('failed' in answer) throw new Error(answer.failed)
  return answer.perSecond
}

type Asked = { at: number; server: GroupServer; token: string; deviceId: string }

function laneOf(kind: Kind, { at, server, token, deviceId }: Asked): Lane {
  const { organization } = owner
  const authorization = `Bearer ${token}`
  if (kind === 'lists of devices') {
    const url = `${server.own}/svc/mappings/api/v1/devices?organization=${organization}`
    return { at, url, method: 'GET', headers: { authorization } }
  }
  if (kind === 'charts') {
    const to = Date.now()
    const sampling = { size: 5, unit: 'minutes' }
    return {
      at,
      url: `${server.own}/svc/platform/api/v1/organizations/${organization}/devices/tags/query`,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        sources: [{ deviceId, modelPath }],
        since: to - 86_400_000,
        to,
        aggregation: { type: 'average', sampling },
      }),
    }
  }
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
    audience: 'platform',
    permission: organization,
  }
  return {
    at,
    url: `${server.own}/auth/realms/${organization}/protocol/openid-connect/token`,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  }
}

type ValueOptions = { devices: number; seconds: number }

/** Messages that a device sends in a second of the measure; about what a fifth of a core stores for ten devices. */
const messagesPerS = 1_500

/** Values of QoS 1 over TLS, acknowledged once they are durable, devices of its own for each server. */
async function valuesOf(
  plant: Plant,
  servers: readonly GroupServer[],
  { devices: each, seconds }: ValueOptions,
) {
  const messages = messagesPerS * seconds
  const sent = servers.map((server, at) =>
    send(plant, server, plant.devices.slice(at * each, (at + 1) * each), { messages }),
  )
  return (await Promise.all(sent)).map((tookS) => (each * messages) / tookS)
}
