import { holdLock } from '@longreach/kit/locks'
import { type Kysely, sql } from 'kysely'
import type { ActivationKeyRow, PairingDb } from './pairing-tables.ts'

/** One at a time for a device: a key is revoked and the next one made without another between. */
export const lockKeys = (tx: Kysely<PairingDb>, deviceId: string) =>
  holdLock(tx, 'platform.activation_key', deviceId)

export const insertKey = (tx: Kysely<PairingDb>, row: ActivationKeyRow) =>
  tx.insertInto('activation_key').values(row).execute()

/** Revokes the keys of a device; true when there was one. */
export async function revokeKey(tx: Kysely<PairingDb>, deviceId: string, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('activation_key')
    .set({ revoked_at: now })
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The key of a device that is not revoked. */
export const keyOfDevice = (db: Kysely<PairingDb>, deviceId: string) =>
  db
    .selectFrom('activation_key')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

export const keyByFingerprint = (db: Kysely<PairingDb>, fingerprint: string) =>
  db
    .selectFrom('activation_key')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()

/** Count one use, if the key still has one: two at once cannot both take the last. */
export const useKey = (db: Kysely<PairingDb>, id: string, now: Date) =>
  db
    .updateTable('activation_key')
    .set((set) => ({ uses: set('uses', '+', 1), last_used_at: now }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .where((where) =>
      where.or([
        where('uses', '>', 0),
        where('first_use_before', 'is', null),
        where('first_use_before', '>', now),
      ]),
    )
    .where((where) =>
      where.or([where('most_uses', 'is', null), where('uses', '<', where.ref('most_uses'))]),
    )
    .returningAll()
    .executeTakeFirst()

/** Moves the key with its device, inside of a root organization's tree; it stays valid. */
export const moveKeys = (tx: Kysely<PairingDb>, deviceId: string, organization: string) =>
  tx.updateTable('activation_key').set({ organization }).where('device_id', '=', deviceId).execute()

/** Time of the device's first request for a certificate, and the address of its last. */
export async function credentialsAsked(db: Kysely<PairingDb>, deviceId: string) {
  const { rows } = await sql<{ first: Date | null; ip: string | null }>`
    select min(issued_at) as first,
      (array_agg(asked_from order by issued_at desc))[1] as ip
    from platform.device_certificate where device_id = ${deviceId}`.execute(db)
  return rows[0] ?? { first: null, ip: null }
}
