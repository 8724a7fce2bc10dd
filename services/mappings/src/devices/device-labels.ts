import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { holdLocks } from '@longreach/kit/locks'
import type { Kysely } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'

type Db = Kysely<MappingsDb>
type Named = { id: string; organization: string; label: string }

/** One of two who give the same label to a device at once waits for the other. */
const lockLabel = (tx: Db, organization: string, label: string) =>
  lockLabels(tx, organization, [label])

/** The same for many labels; in one order, so that no two wait for each other. */
export const lockLabels = (tx: Db, organization: string, labels: readonly string[]) =>
  holdLocks(
    tx,
    'mappings.device_label',
    labels.map((label) => `${organization}\n${label}`),
  )

/** The device with a label; waits for other transactions that are giving this label to a device. */
export async function deviceOfLabel(tx: Db, organization: string, label: string) {
  await lockLabel(tx, organization, label)
  return tx
    .selectFrom('device')
    .select('id')
    .where('organization', '=', organization)
    .where('label', '=', label)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** A label stands for one device of its organization: scripts and people ask for devices by it. */
export async function checkLabelUnique(
  tx: Db,
  { id, organization, label }: Named,
  way = 'Give another one.',
) {
  const other = await deviceOfLabel(tx, organization, label)
  if (!other || other.id === id) return
  const message = `There is a device "${label}" in this organization already. ${way}`
  throw labelTaken({ message, label, deviceId: other.id })
}

export const labelTaken = (details: { message: string; label: string; deviceId?: string }) =>
  failure(mappingsContract, 'label_taken', { field: 'label', ...details })

/** Publish the devices that the migration to unique labels renamed, once, at the next start. */
export const publishRenamed = ({ db, log }: Pick<MappingsDeps, 'db' | 'log'>) =>
  db.transaction().execute(async (tx) => {
    const renamed = await tx
      .deleteFrom('device_renamed')
      .using('device')
      .whereRef('device.id', '=', 'device_renamed.device_id')
      .returning(['device.id', 'device.label', 'device.organization'])
      .execute()
    for (const { id: deviceId, label, organization } of renamed) {
      log.warn({ deviceId, label, organization }, 'a device was renamed: another had its label')
      const event = { deviceId, label, configurationChanged: false }
      await publish(tx, mappingsContract.events.deviceChanged, event)
    }
  })
