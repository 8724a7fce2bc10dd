import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'

const claimLivesMs = 60_000
type Name = { realm: string; username: string }

/**
 * Be the one who makes this account; undefined while somebody else is. A claim older than a minute was
 * left by a crash; `making` says whether that attempt may have left an account in identity.
 */
export const claimAccount = (db: Kysely<CoreDb>, { realm, username }: Name, now: Date) =>
  db
    .insertInto('account_claim')
    .values({ realm, username, claimed_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['realm', 'username'])
        .doUpdateSet({ claimed_at: now })
        .where('account_claim.claimed_at', '<', new Date(now.getTime() - claimLivesMs)),
    )
    .returning('making')
    .executeTakeFirst()

/** From now on an account in identity with this name is the attempt's own. */
export const keepMaking = (db: Kysely<CoreDb>, { realm, username }: Name) =>
  db
    .updateTable('account_claim')
    .set({ making: true })
    .where('realm', '=', realm)
    .where('username', '=', username)
    .execute()

/** Let the next attempt finish what this one left. */
export const leaveAccount = (db: Kysely<CoreDb>, { realm, username }: Name) =>
  db
    .updateTable('account_claim')
    .set({ claimed_at: new Date(0) })
    .where('realm', '=', realm)
    .where('username', '=', username)
    .execute()

export const releaseAccount = (db: Kysely<CoreDb>, { realm, username }: Name) =>
  db
    .deleteFrom('account_claim')
    .where('realm', '=', realm)
    .where('username', '=', username)
    .execute()
