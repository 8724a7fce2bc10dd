import type { Kysely } from 'kysely'
import { coreContract } from '@longreach/core/contract'
import { type Consumer, on } from '@longreach/kit/events'
import { identityContract } from '@longreach/identity/contract'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from './contract.ts'
import { type AgentDb, forgetAgent, forgetCommands } from './agents/agent-store.ts'
import { baseOf, type Device } from './devices/device.ts'
import { deleteState, moveState, saveDevice, setDeleted } from './devices/device-state-store.ts'
import { forgetDevice } from './pairing/pairing-handlers.ts'
import { moveKeys } from './pairing/pairing-store.ts'
import type { PlatformDeps, Runtime, ServiceDb } from './runtime.ts'
import { dropRulesOfPurged } from './storage/storage-service.ts'
import { keepMoments } from './time-line/time-line-keeping.ts'
import { dropLinksOf } from './exports/export-links.ts'
import { deleteRequestsOf } from './writes/write-request-store.ts'
import { ofExports } from './exports/export-store.ts'

/** What the platform does when devices or rights change elsewhere. */
export const platformConsumers = (
  { directory, configuring, telemetry, mqtt, hub, closedOrganizations }: Runtime,
  { now }: PlatformDeps,
): Consumer<ServiceDb>[] => [
  on(mappingsContract.events.deviceCreated, async ({ deviceId }, tx) => {
    const device = await directory.refresh(deviceId)
    if (device) await saveDevice(tx, device, now())
  }),
  on(mappingsContract.events.deviceMoved, async ({ deviceId, from, to, notes }, tx) => {
    await (await telemetry()).move(deviceId, from, to)
    await moveState(tx, deviceId, { org: to, notes })
    if (isInside(to, from)) await moveKeys(tx, deviceId, to)
    else {
      // Who had the machine keeps neither its key nor its certificates, nor the line they opened.
      await forgetDevice(tx, deviceId, now())
      mqtt.endpoint?.disconnectDevice(deviceId)
    }
    await forgetCommands(ofAgents(tx), deviceId)
    const device = await directory.refresh(deviceId)
    if (device) await saveDevice(tx, device, now())
    hub.recheckDevice(deviceId)
  }),
  on(mappingsContract.events.deviceChanged, async ({ deviceId, configurationChanged, by }, tx) => {
    const device = await directory.refresh(deviceId)
    if (!device) return
    await saveDevice(tx, device, now())
    if (configurationChanged) await configuring.reconfigure(device, tx, by)
    hub.recheckDevice(deviceId)
  }),
  on(mappingsContract.events.deviceLife, async ({ deviceId, state }, tx) => {
    if (state === 'restored') {
      const device = await directory.refresh(deviceId)
      if (device) await saveDevice(tx, device, now())
      return setDeleted(tx, deviceId, false)
    }
    directory.drop(deviceId)
    // By its id: a change heard a moment before may have found it gone already, and the directory forgot it.
    mqtt.endpoint?.disconnectDevice(deviceId)
    hub.recheckDevice(deviceId)
    if (state === 'deleted') return setDeleted(tx, deviceId, true)
    await deleteState(tx, deviceId)
    await deleteRequestsOf(tx, deviceId)
    await forgetDevice(tx, deviceId, now())
    await forgetAgent(ofAgents(tx), deviceId)
    await (await telemetry()).forget(deviceId)
  }),
  on(platformContract.events.credentialsRevoked, async ({ deviceId }) => {
    const device = directory.known(deviceId)
    if (device) hangUp(mqtt, [device])
  }),
  on(platformContract.events.authorityRotated, async () => mqtt.renew?.()),
  on(coreContract.events.organizationDeleted, async (told, tx) => {
    await closedOrganizations.tell(tx, told, true)
    const devices = [...directory.all()].filter(({ org }) => closedOrganizations.has(org))
    hangUp(mqtt, devices)
  }),
  on(coreContract.events.organizationRestored, async (told, tx) =>
    closedOrganizations.tell(tx, told, false),
  ),
  dropRulesOfPurged(),
  on(coreContract.events.permissionsChanged, async () => hub.recheck()),
  on(identityContract.events.sessionEnded, async ({ session }, tx) => {
    hub.sessionEnded(session)
    await dropLinksOf(ofExports(tx), session)
  }),
  keepMoments(directory, now),
]

const isInside = (org: string, of: string) => org === of || org.startsWith(`${of}.`)

/** The same transaction over the agents' tables; Kysely is invariant. */
const ofAgents = (tx: unknown) => tx as Kysely<AgentDb>

const hangUp = ({ endpoint }: Runtime['mqtt'], devices: readonly Device[]) =>
  endpoint?.disconnect(new Set(devices.map(baseOf)))
