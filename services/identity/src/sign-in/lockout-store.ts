import type { Kysely } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'
import { attempt, type Failures, type Limit, notLocked } from './lockout-rules.ts'

type Key = { key: string; limit: Limit }

/**
 * Count an attempt under every key, or say for how long (in seconds) one of them is locked. Keys are
 * locked in order, so that two sign-ins wait for each other instead of blocking each other for good.
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

/** The row, made or found, and held: an update of nothing also waits for one who deletes it. */
async function lockRow(tx: Kysely<IdentityDb>, key: string, now: Date): Promise<Failures> {
  const row = await tx
    .insertInto('sign_in_failure')
    .values({ key, failures: 0, locked_until: notLocked, last_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['failures', 'locked_until', 'last_at'])
    .executeTakeFirstOrThrow()
  return { failures: row.failures, lockedUntil: row.locked_until, lastAt: row.last_at }
}

/** The sign-in succeeded: the name starts afresh, the address gets its one attempt back. */
export async function forgiveAttempt(
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

/** Until when a counter refuses; undefined where nothing was counted. */
export async function lockedUntil(db: Kysely<IdentityDb>, key: string) {
  const row = await db
    .selectFrom('sign_in_failure')
    .select('locked_until')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.locked_until
}

export const forgetFailures = (db: Kysely<IdentityDb>, key: string) =>
  db.deleteFrom('sign_in_failure').where('key', '=', key).execute()
