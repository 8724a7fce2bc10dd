import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'

const claimLivesMs = 60_000

/** The one token that is good from now on. */
export async function replaceSetupToken(tx: Kysely<CoreDb>, fingerprint: string) {
  await tx.deleteFrom('setup_token').execute()
  await tx.insertInto('setup_token').values({ fingerprint, claimed_at: null }).execute()
}

export const findToken = (db: Kysely<CoreDb>, fingerprint: string) =>
  db.selectFrom('setup_token').selectAll().where('fingerprint', '=', fingerprint).executeTakeFirst()

/** Be the one who uses the token; undefined while somebody else does. An old claim was left by a crash. */
export const claimSetupToken = (db: Kysely<CoreDb>, fingerprint: string, now: Date) =>
  db
    .updateTable('setup_token')
    .set({ claimed_at: now })
    .where('fingerprint', '=', fingerprint)
    .where((eb) =>
      eb.or([
        eb('claimed_at', 'is', null),
        eb('claimed_at', '<', new Date(now.getTime() - claimLivesMs)),
      ]),
    )
    .returning('fingerprint')
    .executeTakeFirst()

export const releaseSetupToken = (db: Kysely<CoreDb>, fingerprint: string) =>
  db
    .updateTable('setup_token')
    .set({ claimed_at: null })
    .where('fingerprint', '=', fingerprint)
    .execute()

/** Delete the token as it is used; undefined when another call did so before. */
export const redeemSetupToken = (tx: Kysely<CoreDb>, fingerprint: string) =>
  tx
    .deleteFrom('setup_token')
    .where('fingerprint', '=', fingerprint)
    .returning('fingerprint')
    .executeTakeFirst()
