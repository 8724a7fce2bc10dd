import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { mappingsContract } from '@longreach/mappings/contract'
import { openTelemetry, type TelemetryStore } from '@longreach/telemetry/store'
import type { ReleaseDb } from './releases/release-key.ts'
import { createAgentLink } from './agents/agent-link.ts'
import type { AgentDb } from './agents/agent-store.ts'
import { createClosedOrganizations } from './closed-organizations.ts'
import type { PairingDb } from './pairing/pairing-tables.ts'
import { createDirectory, type Directory } from './devices/device-directory.ts'
import { createConfiguring } from './control/device-configuring.ts'
import { createDeviceLog } from './devices/device-log.ts'
import { createSequence } from './control/device-sequence.ts'
import { addReceived, type PlatformDb } from './devices/device-state-store.ts'
import { createIngest, defaultWindow } from './values/ingest.ts'
import { createLiveHub } from './live/live-hub.ts'
import type { MqttEndpoint } from './mqtt/mqtt-endpoint.ts'
import { createPresence } from './devices/presence.ts'
import type { WriteDb } from './writes/write-request-store.ts'
import type { Kysely } from 'kysely'

/** The tables of all parts that share a transaction. */
export type ServiceDb = PlatformDb & PairingDb & WriteDb
export type PlatformDeps = Deps<
  ServiceDb,
  { core: typeof coreContract; mappings: typeof mappingsContract }
>
export type Timings = {
  /** How long a lost line is not yet a disconnection. */
  graceMs: number
  /** How long a device has to take over a configuration. */
  patienceMs: number
  /** How often rights and token of a live socket are looked at again without a reason. */
  recheckMs: number
}
export const defaultTimings: Timings = { graceMs: 5_000, patienceMs: 30_000, recheckMs: 60_000 }

const runtimes = new WeakMap<PlatformDeps, ReturnType<typeof createRuntime>>()

/** What handlers, consumers, sockets and the MQTT endpoint of one service share. */
export function runtimeOf(deps: PlatformDeps, timings: Timings = defaultTimings) {
  const runtime = runtimes.get(deps) ?? createRuntime(deps, timings)
  runtimes.set(deps, runtime)
  return runtime
}
export type Runtime = ReturnType<typeof createRuntime>

function createRuntime(deps: PlatformDeps, timings: Timings) {
  const { db, pool, now, log } = deps
  const mqtt: { endpoint?: MqttEndpoint; renew?: () => Promise<void> } = {}
  let opening: Promise<TelemetryStore> | undefined
  const telemetry = () => {
    opening ??= openTelemetry({ pool, log }).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const directory = createDirectory({
    mappings: deps.clients.mappings,
    log,
    moved: async (deviceId, from, to) => (await telemetry()).move(deviceId, from, to),
  })
  const closedOrganizations = createClosedOrganizations()
  const hub = createLiveHub(log, timings.recheckMs)
  const deviceLog = createDeviceLog({ db, now, log })
  const { heard } = deviceLog
  const ingest = createIngest({ store: telemetry, now, window: defaultWindow, heard, log })
  const configuring = createConfiguring({
    db,
    ingest,
    now,
    log,
    patienceMs: timings.patienceMs,
    send: (base, message) => mqtt.endpoint?.publish(base, message) ?? 0,
    onStatus: (device, { applied }) => hub.status(device.id, { configurationApplied: applied }),
  })
  const agents = createAgentLink({
    db: db as unknown as Kysely<AgentDb & ReleaseDb>, // the service's own tables; Kysely is invariant
    ingest,
    now,
    send: (base, message) => mqtt.endpoint?.publish(base, message) ?? 0,
  })
  const sequence = createSequence({ db, ingest, configuring, agents })
  const presence = createPresence({
    db,
    now,
    log,
    graceMs: timings.graceMs,
    onChange: ({ deviceId, connected, at }) =>
      hub.status(deviceId, { connected, at: at.getTime() }),
  })

  const count = () => countReceived(db, directory, now)
  let closed: Promise<void> | undefined
  const shut = async () => {
    await mqtt.endpoint?.close()
    hub.close()
    configuring.close()
    await ingest.settled()
    await presence.close()
    await deviceLog.close()
    await count()
    if (opening) await (await opening).close()
  }

  return {
    mqtt,
    telemetry,
    directory,
    closedOrganizations,
    hub,
    deviceLog,
    ingest,
    configuring,
    agents,
    sequence,
    presence,
    count,
    close: () => (closed ??= shut()),
  }
}

/** Write down how much came from each device since the last time. */
async function countReceived(db: PlatformDeps['db'], directory: Directory, now: () => Date) {
  for (const device of directory.all()) {
    const { received } = device
    if (received.messages === 0 && received.refused === 0) continue
    device.received = { messages: 0, bytes: 0, refused: 0 }
    await addReceived(db, device.id, { ...received, at: now() })
  }
}
