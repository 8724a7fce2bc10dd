import type { Secrets } from '@longreach/kit/secrets'
import type { Kysely } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'
import { addKey } from './key-store.ts'

type Fresh = { name: string; label: string; now: Date }

/** Create a realm with its first key; an existing realm stays as it is. */
export async function makeRealm(
  db: Kysely<IdentityDb>,
  secrets: Secrets,
  { name, label, now }: Fresh,
) {
  await db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('realm')
      .values({ name, label, created_at: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    if (made) await addKey(tx, secrets, { realm: name, activeAt: now, now })
  })
}
