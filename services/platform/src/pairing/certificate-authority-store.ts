import { holdLock } from '@longreach/kit/locks'
import type { Kysely } from 'kysely'
import type { AuthorityRow, DeviceCertificateRow, PairingDb } from './pairing-tables.ts'

/** One at a time: two processes that start together must not make two authorities. */
export const lockAuthority = (tx: Kysely<PairingDb>) =>
  holdLock(tx, 'platform.certificate_authority')

export const currentAuthority = (db: Kysely<PairingDb>) =>
  db.selectFrom('certificate_authority').selectAll().where('current', '=', true).executeTakeFirst()

/** The current authority first, then older ones as long as a certificate of theirs lives. */
export const trustedAuthorities = (db: Kysely<PairingDb>, now: Date) =>
  db
    .selectFrom('certificate_authority as a')
    .selectAll('a')
    .where((where) =>
      where.or([
        where('a.current', '=', true),
        where.exists(
          where
            .selectFrom('device_certificate as c')
            .select('c.serial')
            .whereRef('c.authority', '=', 'a.id')
            .where('c.revoked_at', 'is', null)
            .where('c.not_after', '>', now),
        ),
      ]),
    )
    .orderBy('a.current', 'desc')
    .orderBy('a.made_at', 'desc')
    .execute()

/**
 * Each authority certified by the one before it, newest first: also of those that are trusted no more,
 * since a device may know only the very first.
 */
export const crossedCertificates = async (db: Kysely<PairingDb>) => {
  const rows = await db
    .selectFrom('certificate_authority')
    .select('crossed')
    .orderBy('made_at', 'desc')
    .execute()
  return rows.flatMap(({ crossed }) => crossed ?? [])
}

export const insertAuthority = (tx: Kysely<PairingDb>, row: AuthorityRow) =>
  tx.insertInto('certificate_authority').values(row).execute()

export const retireAuthority = (tx: Kysely<PairingDb>) =>
  tx
    .updateTable('certificate_authority')
    .set({ current: false })
    .where('current', '=', true)
    .execute()

export const insertDeviceCertificate = (db: Kysely<PairingDb>, row: DeviceCertificateRow) =>
  db.insertInto('device_certificate').values(row).execute()

export const deviceCertificate = (db: Kysely<PairingDb>, serial: string) =>
  db.selectFrom('device_certificate').selectAll().where('serial', '=', serial).executeTakeFirst()

export const revokeCertificates = (db: Kysely<PairingDb>, deviceId: string, now: Date) =>
  db
    .updateTable('device_certificate')
    .set({ revoked_at: now })
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .execute()
