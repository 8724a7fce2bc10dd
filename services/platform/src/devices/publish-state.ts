import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import { platformContract } from '../contract.ts'
import { type PlatformDb, findState } from './device-state-store.ts'

/** Publishes connection and configuration of a device again, for services that keep a copy. */
export const publishState = (db: Kysely<PlatformDb>, deviceId: string) =>
  db.transaction().execute((tx: Kysely<PlatformDb>) => publishStateIn(tx, deviceId))

async function publishStateIn(tx: Kysely<PlatformDb>, deviceId: string) {
  const state = await findState(tx, deviceId)
  if (!state) return
  const { connected, connected_at, disconnected_at, configuration_sent_at: sentAt } = state
  const at = connected ? connected_at : disconnected_at
  const { deviceConnection, configurationStatus } = platformContract.events
  if (at) await publish(tx, deviceConnection, { deviceId, connected, at: at.getTime() })
  if (!sentAt) return
  await publish(tx, configurationStatus, {
    deviceId,
    sent: true,
    applied: state.configuration_applied,
    error: state.configuration_error,
    at: sentAt.getTime(),
  })
}
