import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import { platformContract } from '../contract.ts'
import { type PlatformDb, stateOf } from './device-state-store.ts'

/** Say once more what is known of a device's line and configuration, to whoever keeps a copy. */
export const tellState = (db: Kysely<PlatformDb>, deviceId: string) =>
  db.transaction().execute((tx: Kysely<PlatformDb>) => tell(tx, deviceId))

async function tell(tx: Kysely<PlatformDb>, deviceId: string) {
  const state = await stateOf(tx, deviceId)
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
