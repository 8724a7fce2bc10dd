import type { Kysely, Selectable } from 'kysely'
import type { FactorTables } from '../factors/factor-tables.ts'
import type { IdentityDb } from '../identity-tables.ts'

export type Flow = Pick<
  Selectable<FactorTables['sign_in_flow']>,
  'uid' | 'realm' | 'sub' | 'amr' | 'authenticated_at' | 'done' | 'action_status'
>

export const findFlow = (db: Kysely<IdentityDb>, realm: string, uid: string) =>
  db
    .selectFrom('sign_in_flow')
    .select(['uid', 'realm', 'sub', 'amr', 'authenticated_at', 'done', 'action_status'])
    .where('realm', '=', realm)
    .where('uid', '=', uid)
    .executeTakeFirst()

/** Save the state of a sign-in until its interaction expires. */
export async function saveFlow(db: Kysely<IdentityDb>, flow: Flow, expiresAt: Date) {
  const { uid, realm, ...state } = flow
  const row = { ...state, expires_at: expiresAt }
  await db
    .insertInto('sign_in_flow')
    .values({ uid, realm, ...row })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet(row))
    .execute()
}
