import type { Kysely, Updateable } from 'kysely'
import type { Account } from './contract.ts'
import type { IdentityDb } from './identity-tables.ts'

export type StoredAccount = Account & { passwordHash: string | null }

const columns = [
  'sub',
  'realm',
  'username',
  'email',
  'first_name as firstName',
  'last_name as lastName',
  'enabled',
  'service_account as serviceAccount',
  'password_hash as passwordHash',
] as const

export const accountBySub = (
  db: Kysely<IdentityDb>,
  sub: string,
): Promise<StoredAccount | undefined> =>
  db.selectFrom('account').select(columns).where('sub', '=', sub).executeTakeFirst()

/** By the stored form of the name, `localName`. */
export const accountByName = (
  db: Kysely<IdentityDb>,
  realm: string,
  username: string,
): Promise<StoredAccount | undefined> =>
  db
    .selectFrom('account')
    .select(columns)
    .where('realm', '=', realm)
    .where('username', '=', username)
    .executeTakeFirst()

/** Undefined when the name is taken in the realm. */
export const insertAccount = (
  db: Kysely<IdentityDb>,
  { passwordHash, firstName, lastName, serviceAccount, ...rest }: StoredAccount,
  now: Date,
): Promise<StoredAccount | undefined> =>
  db
    .insertInto('account')
    .values({
      ...rest,
      first_name: firstName,
      last_name: lastName,
      password_hash: passwordHash,
      service_account: serviceAccount,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['realm', 'username']).doNothing())
    .returning(columns)
    .executeTakeFirst()

export const updateAccount = (
  db: Kysely<IdentityDb>,
  sub: string,
  changes: Updateable<IdentityDb['account']>,
): Promise<StoredAccount | undefined> =>
  db
    .updateTable('account')
    .set(changes)
    .where('sub', '=', sub)
    .returning(columns)
    .executeTakeFirst()
