import type { Kysely, Updateable } from 'kysely'
import type { Account } from '../contract.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { endLinksOf } from './link-store.ts'

export type StoredAccount = Account & { passwordHash: string | null }

export const accountColumns = [
  'sub',
  'realm',
  'username',
  'email',
  'first_name as firstName',
  'last_name as lastName',
  'enabled',
  'service_account as serviceAccount',
  'email_verified as emailVerified',
  'required_actions as requiredActions',
  'password_hash as passwordHash',
] as const

export const accountBySub = (
  db: Kysely<IdentityDb>,
  sub: string,
): Promise<StoredAccount | undefined> =>
  db.selectFrom('account').select(accountColumns).where('sub', '=', sub).executeTakeFirst()

/** Account by its user name in the stored form, as `localName` makes it. */
export const accountByName = (
  db: Kysely<IdentityDb>,
  realm: string,
  username: string,
): Promise<StoredAccount | undefined> =>
  db
    .selectFrom('account')
    .select(accountColumns)
    .where('realm', '=', realm)
    .where('username', '=', username)
    .executeTakeFirst()

/** Insert an account. Undefined when the name is taken in the realm. */
export const insertAccount = (
  db: Kysely<IdentityDb>,
  { passwordHash, firstName, lastName, serviceAccount, ...account }: StoredAccount,
  now: Date,
): Promise<StoredAccount | undefined> => {
  const { emailVerified, requiredActions, ...rest } = account
  return db
    .insertInto('account')
    .values({
      ...rest,
      email_verified: emailVerified,
      required_actions: requiredActions,
      first_name: firstName,
      last_name: lastName,
      password_hash: passwordHash,
      service_account: serviceAccount,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['realm', 'username']).doNothing())
    .returning(accountColumns)
    .executeTakeFirst()
}

/** Update an account. A new password or e-mail address ends the links that were sent before. */
export async function updateAccount(
  tx: Kysely<IdentityDb>,
  sub: string,
  changes: Updateable<IdentityDb['account']>,
): Promise<StoredAccount | undefined> {
  const before = await accountBySub(tx, sub)
  const moved = changes.email !== undefined && changes.email !== before?.email
  if (moved || changes.password_hash !== undefined) await endLinksOf(tx, sub)
  return tx
    .updateTable('account')
    .set({ ...(moved && { email_verified: false }), ...changes })
    .where('sub', '=', sub)
    .returning(accountColumns)
    .executeTakeFirst()
}

/** Subset of accounts that have an authenticator app or a passkey. */
export async function subsWithFactor(db: Kysely<IdentityDb>, subs: readonly string[]) {
  if (subs.length === 0) return []
  const rows = await db
    .selectFrom('authenticator_app')
    .select('sub')
    .where('sub', 'in', subs)
    .union(db.selectFrom('passkey').select('sub').where('sub', 'in', subs))
    .execute()
  return rows.map(({ sub }) => sub)
}
