import { startRounds } from '@longreach/kit/rounds'
import type { MappingsDeps } from '../deps.ts'
import { restorableForMs, tell } from './device-life.ts'

const everyMs = 3_600_000
const atOnce = 200
type Deps = Pick<MappingsDeps, 'db' | 'now' | 'log'>

/** Every hour: devices whose time in the trash is over go for good. */
export function purgeDevicesInTime(deps: Deps) {
  return startRounds(
    everyMs,
    () => purgeDueDevices(deps),
    (error) => deps.log.error(error, 'deleted devices could not be purged'),
  )
}

/** One round of it. */
export async function purgeDueDevices(deps: Deps) {
  while (await purgeSome(deps));
}

/** Some of them; whether there may be more. Two processes do not wait for each other. */
const purgeSome = ({ db, now }: Deps) =>
  db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('device')
      .select(['id', 'organization', 'label'])
      .where('deleted_at', '<=', new Date(now().getTime() - restorableForMs))
      .orderBy('deleted_at')
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const device of due) {
      await tx.deleteFrom('device').where('id', '=', device.id).execute()
      await tell(tx, device, 'purged')
    }
    return due.length === atOnce
  })
