import { onMany } from '@longreach/kit/events'
import { deviceStateEvents } from '@longreach/mappings/device-state-contract'
import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { lockDevices } from './occurrence-store.ts'

/**
 * Consumer that marks the open alarms of a device that connects as unconfirmed: what changed while it was
 * offline, the device does not repeat.
 */
export const unconfirmedConsumer = () =>
  onMany(deviceStateEvents.deviceConnection, async (events, tx: Kysely<AlarmsDb>) => {
    const ids = events.filter(({ connected }) => connected).map(({ deviceId }) => deviceId)
    if (ids.length === 0) return
    await lockDevices(tx, ids)
    await tx
      .updateTable('occurrence')
      .set({ unconfirmed: true })
      .where('device_id', '=', sql<string>`any(${ids})`)
      .where('open', '=', true)
      .where('rule_id', 'is', null)
      .where('source', 'not like', 't:%')
      .where('unconfirmed', '=', false)
      .execute()
  })
