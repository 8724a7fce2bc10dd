import type { MappingsDeps } from '../deps.ts'
import { restorableForMs, publishLife } from './device-life.ts'

const atOnce = 200
type Deps = Pick<MappingsDeps, 'db' | 'now'>

/** Deletes the devices whose time in the trash is over. */
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
      await publishLife(tx, device, 'purged')
    }
    return due.length === atOnce
  })
