import type { Kysely } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'
import { attempt, type Failures, type Limit, notLocked } from './lockout-rules.ts'

type Key = { key: string; limit: Limit }

/**
 * Count an attempt for every key, or answer for how many seconds one of them is locked out. Rows are
 * locked in the order of their keys, which avoids deadlocks.
 */
export async function countAttempt(
  db: Kysely<IdentityDb>,
  keys: readonly Key[],
  now: Date,
): Promise<{ retryAfterS: number } | undefined> {
  return db.transaction().execute(async (tx) => {
    const decided: { key: string; after: Failures }[] = []
    for (const { key, limit } of keys.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const decision = attempt(await lockRow(tx, key, now), limit, now)
      if (!decision.allowed) return { retryAfterS: decision.retryAfterS }
      decided.push({ key, after: decision.after })
    }
    for (const { key, after } of decided) {
      const row = {
        failures: after.failures,
        locked_until: after.lockedUntil,
        last_at: after.lastAt,
      }
      await tx.updateTable('sign_in_failure').set(row).where('key', '=', key).execute()
    }
    return undefined
  })
}

/**
 * Counter of a key, created if needed and locked: the update without a change also waits for a
 * concurrent delete.
 */
async function lockRow(tx: Kysely<IdentityDb>, key: string, now: Date): Promise<Failures> {
  const row = await tx
    .insertInto('sign_in_failure')
    .values({ key, failures: 0, locked_until: notLocked, last_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['failures', 'locked_until', 'last_at'])
    .executeTakeFirstOrThrow()
  return { failures: row.failures, lockedUntil: row.locked_until, lastAt: row.last_at }
}

/** Reset the counter of the account after a success, and take one attempt from the counter of the network. */
export async function resetAttempts(
  db: Kysely<IdentityDb>,
  { account, address }: { account: string; address: string },
) {
  await db.deleteFrom('sign_in_failure').where('key', '=', account).execute()
  await db
    .updateTable('sign_in_failure')
    .set((is) => ({ failures: is('failures', '-', 1), locked_until: notLocked }))
    .where('key', '=', address)
    .where('failures', '>', 0)
    .execute()
}

/** End of the lockout of a counter; undefined when it does not exist. */
export async function lockedUntil(db: Kysely<IdentityDb>, key: string) {
  const row = await db
    .selectFrom('sign_in_failure')
    .select('locked_until')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.locked_until
}

/** Delete a counter, which ends its lockout. */
export const deleteCounter = (db: Kysely<IdentityDb>, key: string) =>
  db.deleteFrom('sign_in_failure').where('key', '=', key).execute()
