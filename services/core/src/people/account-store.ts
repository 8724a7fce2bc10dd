import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'

const claimLivesMs = 60_000
type Name = { realm: string; username: string }

/** Be the one who makes this account; undefined while somebody else is. A claim older than a minute was left by a crash. */
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
    .returning('username')
    .executeTakeFirst()

export const releaseAccount = (db: Kysely<CoreDb>, { realm, username }: Name) =>
  db
    .deleteFrom('account_claim')
    .where('realm', '=', realm)
    .where('username', '=', username)
    .execute()
