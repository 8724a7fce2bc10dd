import { onMany } from '@longreach/kit/events'
import { timelineRecorded } from '@longreach/mappings/time-line-contract'
import type { Kysely } from 'kysely'
import type { Directory } from '../devices/device-directory.ts'
import type { PlatformDb } from '../devices/device-state-store.ts'
import { insertMoments } from '../moments/moment-store.ts'

/** Consumer that stores time-line entries of all services, under the organization that the device is in now. */
export const keepMoments = (directory: Directory, now: () => Date) =>
  onMany(timelineRecorded, async (moments, tx: Kysely<PlatformDb>) => {
    const ids = [...new Set(moments.map(({ deviceId }) => deviceId))]
    const orgs = await organizationsOf(tx, directory, ids)
    await insertMoments(
      tx,
      moments.flatMap(({ deviceId, at, until, kind, data, by }) => {
        const org = orgs.get(deviceId)
        // Published before the device was purged: there is nobody to show it to.
        if (org === undefined) return []
        const { path, ...rest } = data
        return [
          {
            device_id: deviceId,
            org,
            at,
            until: until ?? null,
            kind,
            path: typeof path === 'string' ? path : null,
            by_name: by ?? null,
            data: rest,
            made_at: now(),
          },
        ]
      }),
    )
  })

async function organizationsOf(tx: Kysely<PlatformDb>, directory: Directory, ids: string[]) {
  const rows = await tx
    .selectFrom('device_state')
    .select(['device_id', 'org'])
    .where('device_id', 'in', ids)
    .execute()
  const orgs = new Map(rows.map(({ device_id, org }) => [device_id, org]))
  for (const id of ids) {
    if (orgs.has(id)) continue
    const device = await directory.get(id)
    if (device) orgs.set(id, device.org)
  }
  return orgs
}
