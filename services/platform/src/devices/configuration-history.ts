import { createHash } from 'node:crypto'
import { holdLock } from '@longreach/kit/locks'
import type { Kysely, Selectable } from 'kysely'
import type { Device } from './device.ts'
import { insertMoments, type MomentDb } from '../moments/moment-store.ts'

type ConfigurationTable = {
  device_id: string
  version: number
  org: string
  hash: string | null
  made_at: Date
  made_by: string | null
  sent_at: Date | null
  applied_at: Date | null
  error: string | null
}
export type ConfigurationDb = MomentDb & {
  device_configuration: ConfigurationTable
  configuration_text: { hash: string; text: string }
}
type Db = Kysely<ConfigurationDb>
type Version = Selectable<ConfigurationTable>
type Owned = Pick<Device, 'id' | 'org'>

/** Older ones of a device go. */
const mostKept = 50

const latestOf = (tx: Db, id: string) =>
  tx
    .selectFrom('device_configuration')
    .selectAll()
    .where('device_id', '=', id)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

type Noted = {
  status: { sent: boolean; applied: boolean; error: string | null }
  at: Date
  by?: string | undefined
}

/**
 * Keep what became of the configuration that the device is to have: a version when it is another
 * one than before, and a moment the first time that it is sent, applied, or goes wrong.
 */
export async function noteConfiguration(tx: Db, device: Device, { status, at, by }: Noted) {
  // Two messages of one device, or a message and a change of its preset, may come at once.
  await holdLock(tx, 'platform.configuration', device.id)
  const version = await versionOf(tx, device, { at, by })
  if (!version) return
  const isNew = newOf(version, status)
  const states = (['sent', 'applied', 'error'] as const).filter((state) => isNew[state])
  if (states.length === 0) return
  const { error } = status
  await tx
    .updateTable('device_configuration')
    .set({
      ...(isNew.sent && { sent_at: at }),
      ...(isNew.applied && { applied_at: at, error: null }),
      ...(isNew.error && { error }),
    })
    .where('device_id', '=', device.id)
    .where('version', '=', version.version)
    .execute()
  const moment = { device_id: device.id, org: device.org, at, kind: 'configuration', made_at: at }
  const data = { version: version.version, ...(isNew.error && { error }) }
  await insertMoments(
    tx,
    states.map((state) => ({ ...moment, data: { state, ...data } })),
  )
}

const newOf = (version: Version, { sent, applied, error }: Noted['status']) => ({
  sent: sent && version.sent_at === null,
  applied: applied && (version.applied_at === null || version.error !== null),
  error: error !== null && error !== version.error,
})

async function versionOf(tx: Db, device: Device, { at, by }: Pick<Noted, 'at' | 'by'>) {
  const { id, org, configurationText: text } = device
  const hash = text === null ? null : hashOf(text)
  const latest = await latestOf(tx, id)
  if (latest ? latest.hash === hash : hash === null) return latest
  if (hash !== null && text !== null) await keepText(tx, hash, text)
  const version: Version = {
    device_id: id,
    version: (latest?.version ?? 0) + 1,
    org,
    hash,
    made_at: at,
    made_by: by ?? null,
    sent_at: null,
    applied_at: null,
    error: null,
  }
  await tx.insertInto('device_configuration').values(version).execute()
  await tx
    .deleteFrom('device_configuration')
    .where('device_id', '=', id)
    .where('version', '<=', version.version - mostKept)
    .execute()
  return version
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * Keeps a text, and its row from being deleted before the transaction has used it. Transactions share the row:
 * devices of one preset have the same text, and thousands of them may connect at once.
 */
async function keepText(tx: Db, hash: string, text: string) {
  while (!(await holdText(tx, hash))) {
    await tx
      .insertInto('configuration_text')
      .values({ hash, text })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** False when there is no such text, or none any more. */
async function holdText(tx: Db, hash: string) {
  const row = await tx
    .selectFrom('configuration_text')
    .select('hash')
    .where('hash', '=', hash)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Newest first. */
export const configurationsOf = (db: Db, { id, org }: Owned) =>
  db
    .selectFrom('device_configuration')
    .selectAll()
    .where('device_id', '=', id)
    .where('org', '=', org)
    .orderBy('version', 'desc')
    .execute()

/** The text of a version; null for one that said there is none, undefined without the version. */
export async function configurationOf(db: Db, { id, org }: Owned, version: number) {
  const row = await db
    .selectFrom('device_configuration as c')
    .leftJoin('configuration_text as t', 't.hash', 'c.hash')
    .select('t.text')
    .where('c.device_id', '=', id)
    .where('c.org', '=', org)
    .where('c.version', '=', version)
    .executeTakeFirst()
  return row?.text
}

/** Configurations that were the device's at some time since then, the newest first. */
export async function textsSince(db: Db, { id, org }: Owned, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('device_configuration as c')
    .innerJoin('configuration_text as t', 't.hash', 'c.hash')
    .select(['t.text', 'c.made_at'])
    .where('c.device_id', '=', id)
    .where('c.org', '=', org)
    .orderBy('c.version', 'desc')
    .limit(mostTexts)
    .execute()
  // The last one that was made before then was in use at its beginning.
  const old = rows.findIndex(({ made_at }) => made_at < since)
  return rows.slice(0, old === -1 ? undefined : old + 1).map(({ text }) => text)
}
/** More of them say nothing new, and each may be long. */
const mostTexts = 10

export const moveConfigurations = (tx: Db, deviceId: string, org: string) =>
  tx.updateTable('device_configuration').set({ org }).where('device_id', '=', deviceId).execute()

export const deleteConfigurations = (tx: Db, deviceId: string) =>
  tx.deleteFrom('device_configuration').where('device_id', '=', deviceId).execute()

/** Texts that no device has in its history any more. */
export const deleteUnusedTexts = (db: Db) =>
  db
    .deleteFrom('configuration_text')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('device_configuration')
            .select('version')
            .whereRef('device_configuration.hash', '=', 'configuration_text.hash'),
        ),
      ),
    )
    .execute()
