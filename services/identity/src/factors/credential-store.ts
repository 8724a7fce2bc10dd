import type { Kysely } from 'kysely'
import type { CredentialType } from './factors.ts'
import type { IdentityDb } from '../identity-tables.ts'

type Credential = {
  id: string
  type: CredentialType
  userLabel: string
  createdDate: Date
}

/** Id of the recovery codes, which are listed and removed as one credential. */
const recoveryCodesId = 'recovery-codes'

/** Second factors of a person by type, each oldest first; unused recovery codes are one of them. */
export async function secondFactorsOf(
  db: Kysely<IdentityDb>,
  sub: string,
): Promise<(Credential & { left?: number })[]> {
  const columns = ['id', 'label as userLabel', 'created_at as createdDate'] as const
  const of = (table: 'authenticator_app' | 'passkey') =>
    db.selectFrom(table).select(columns).where('sub', '=', sub).orderBy('created_at').execute()
  const apps = (await of('authenticator_app')).map((row) => ({ ...row, type: 'otp' as const }))
  const keys = (await of('passkey')).map((row) => ({ ...row, type: 'webauthn' as const }))
  const codes = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => [fn.min('created_at').as('since'), fn.countAll<string>().as('left')])
    .where('sub', '=', sub)
    .executeTakeFirst()
  const left = Number(codes?.left ?? 0)
  const recovery = {
    id: recoveryCodesId,
    type: 'recovery-authn-codes' as const,
    userLabel: '',
    createdDate: codes?.since ?? new Date(0),
    left,
  }
  return [...apps, ...keys, ...(left > 0 ? [recovery] : [])]
}

/** Test that a person has an authenticator app or a passkey. Recovery codes alone only replace a lost one. */
export const hasSecondFactor = async (db: Kysely<IdentityDb>, sub: string) =>
  (await secondFactorsOf(db, sub)).some(({ type }) => type !== 'recovery-authn-codes')

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Remove a second factor and answer it; undefined when it does not exist. With the last app or passkey
 * the recovery codes go too.
 */
export async function deleteSecondFactor(tx: Kysely<IdentityDb>, sub: string, id: string) {
  const found = (await secondFactorsOf(tx, sub)).find((one) => one.id === id)
  if (!found) return undefined
  if (uuid.test(id)) {
    const table = found.type === 'otp' ? 'authenticator_app' : 'passkey'
    await tx.deleteFrom(table).where('sub', '=', sub).where('id', '=', id).execute()
  }
  if (id === recoveryCodesId || !(await hasSecondFactor(tx, sub))) {
    await tx.deleteFrom('recovery_code').where('sub', '=', sub).execute()
  }
  return found
}

/** Rename a second factor. False when the person has no such factor. */
export async function labelSecondFactor(
  db: Kysely<IdentityDb>,
  { sub, id, label }: { sub: string; id: string; label: string },
) {
  if (!uuid.test(id)) return false
  for (const table of ['authenticator_app', 'passkey'] as const) {
    const { numUpdatedRows } = await db
      .updateTable(table)
      .set({ label })
      .where('sub', '=', sub)
      .where('id', '=', id)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return true
  }
  return false
}
