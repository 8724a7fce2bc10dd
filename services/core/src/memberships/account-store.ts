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

/** Mark a claim as making its account: one that identity then has of this name was made by the attempt. */
export const markMaking = (db: Kysely<CoreDb>, { realm, username }: Name) =>
  db
    .updateTable('account_claim')
    .set({ making: true })
    .where('realm', '=', realm)
    .where('username', '=', username)
    .execute()

/** Let the claim of an unfinished account expire, so that the next attempt can finish it. */
export const expireClaim = (db: Kysely<CoreDb>, { realm, username }: Name) =>
  db
    .updateTable('account_claim')
    .set({ claimed_at: new Date(0) })
    .where('realm', '=', realm)
    .where('username', '=', username)
    .execute()

export const releaseClaim = (db: Kysely<CoreDb>, { realm, username }: Name) =>
  db
    .deleteFrom('account_claim')
    .where('realm', '=', realm)
    .where('username', '=', username)
    .execute()
