import { attributesInSight } from '@longreach/authorization/alarm-visibility'
import { parseIntrospection } from '@longreach/device-protocol/topics'
import { toDataPage } from '@longreach/kit/contract'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { rangeAsked } from '../times/asked-time.ts'
import { credentialsAsked } from '../pairing/pairing-store.ts'
import { platformContract } from '../contract.ts'
import type { Device } from './device.ts'
import { deviceFor } from './device-access.ts'
import { aliased } from './device-alias.ts'
import { listDevices } from './device-listing.ts'
import { connectionHistory, type DeviceState, findState } from './device-state-store.ts'
import { seesAllPaths } from './path-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from './devices-state.ts'

type DeviceHandlers = Pick<
  Handlers<typeof platformContract>,
  'availableTags' | 'configuration' | 'status' | 'devices' | 'deviceByAlias'
>

/** Handlers of the calls about a device beside its values. */
export function deviceHandlers({ directory }: DevicesState, deps: PlatformDeps): DeviceHandlers {
  const { db } = deps
  return {
    availableTags: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      // Tags are the device's own names: no model path says which of them may be known.
      if (!seesAllPaths(ctx, device)) return []
      const tags = (await findState(db, device.id))?.available_tags
      return Array.isArray(tags) ? tags.flatMap(tagOf) : []
    },

    configuration: async ({ params: { deviceId } }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const state = await findState(db, device.id)
      // It names every path of the device.
      const all = seesAllPaths(ctx, device)
      return {
        configurationJson: all ? toReportedJson(device.configurationText) : null,
        configurationFromDevice: all ? toReportedJson(state?.reported_configuration) : null,
        sentAt: state?.configuration_sent_at?.getTime() ?? null,
        applied: state?.configuration_applied ?? false,
        error: state?.configuration_error ?? null,
      }
    },

    status: async ({ params: { deviceId }, query }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      const range = { ...rangeAsked(query, ctx.now), limit: query.limit }
      const events = await connectionHistory(db, device.id, range)
      const data = events.map(({ at, connected, ip }) => [at.getTime(), connected, ip])
      return [{ deviceId: device.id, header: ['timestamp', 'connected', 'ip'], data }]
    },

    devices: async ({ query: { details, ...asked } }, ctx) => {
      const org = ctx.organization.resourceId
      const { rows, count } = await listDevices(db, ctx, asked)
      const entries: (string | Awaited<ReturnType<typeof withFacts>>[number])[] = details
        ? await withFacts(deps, ctx, rows)
        : rows.map(({ device_id }) => device_id)
      const page = toDataPage(entries, count, asked)
      const link = (number: number) =>
        `${platformContract.base}/organizations/${encodeURIComponent(org)}/devices?details=${details}&page=${number}&pageSize=${asked.pageSize}`
      const next = page.last ? null : link(asked.page + 1)
      return { ...page, links: { self: link(asked.page), next } }
    },

    deviceByAlias: async ({ query: { alias } }, ctx) => {
      const device = await aliased({ directory }, deps, ctx, alias)
      const state = (await findState(db, device.id)) ?? unseen
      const asked = await credentialsAsked(db, device.id)
      return {
        ...described(device, state),
        first_credentials_request: iso(asked.first),
        last_credentials_request_ip: asked.ip,
      }
    },
  }
}

type Listed = {
  device_id: string
  connected: boolean
  label: string
  org: string
  groups: number[]
}

/** Devices with their names and the attributes that the caller sees; a device that was just deleted has those that this service knew. */
async function withFacts(
  { clients }: PlatformDeps,
  { capability }: OrgCtx,
  rows: readonly Listed[],
) {
  const ids = rows.map(({ device_id }) => device_id)
  const known = await clients.mappings.devicesDescribed({ body: { ids } })
  const byId = new Map(known.map((one) => [one.id, one]))
  return rows.map(({ device_id: id, connected, label, org, groups }) => {
    const { aliases = { label }, attributes = {} } = byId.get(id) ?? {}
    const shown = attributesInSight(capability, { groups, attributes })
    return { id, connected, aliases, attributes: { ...shown, orgResourceId: org } }
  })
}

/** A device that never came. */
const unseen = {
  introspection: '',
  connected: false,
  connected_at: null,
  disconnected_at: null,
  registered_at: null,
  last_ip: null,
  received_bytes: 0,
  received_messages: 0,
}

const described = (
  { id, label, received }: Device,
  state: Pick<DeviceState, Exclude<keyof typeof unseen, 'registered_at'>> & {
    registered_at: Date | null
  },
) => ({
  id,
  aliases: { label },
  introspection: introspectionOf(state.introspection),
  connected: state.connected,
  last_connection: iso(state.connected_at),
  last_disconnection: iso(state.disconnected_at),
  first_registration: iso(state.registered_at),
  last_seen_ip: state.last_ip,
  total_received_bytes: state.received_bytes + received.bytes,
  total_received_msgs: state.received_messages + received.messages,
})

const iso = (at: Date | null) => at?.toISOString() ?? null

const introspectionOf = (text: string) =>
  Object.fromEntries(
    (parseIntrospection(text) ?? []).map(({ name, major, minor }) => [name, { major, minor }]),
  )

/** A tag that has the two facts every client reads; others come as the device said them. */
function tagOf(raw: unknown): { name: string; type: string }[] {
  const { name, type } = (raw ?? {}) as Record<string, unknown>
  if (typeof name !== 'string') return []
  return [{ ...(raw as object), name, type: typeof type === 'string' ? type : '' }]
}

/** A device before its first configuration reports a text of no object. */
function toReportedJson(text: string | null | undefined): unknown {
  if (text === null || text === undefined) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text // shown as it came
  }
}
