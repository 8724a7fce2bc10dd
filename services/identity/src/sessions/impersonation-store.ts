import { randomBytes } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'

const validForMs = 2 * 60_000
/** Milliseconds for which a row is kept: longer than the session that was started with it. */
const keptForMs = 24 * 3_600_000

export type Impersonation = Pick<
  Selectable<IdentityDb['impersonation']>,
  'sub' | 'by_sub' | 'by_username' | 'second_factor'
>
type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'now'>
type Wish = {
  realm: string
  sub: string
  by: { sub: string; username: string }
  secondFactor: boolean
}

const impersonationFingerprint = ({ secrets }: Pick<Deps, 'secrets'>, token: string) =>
  secrets.fingerprint('identity/impersonation', token)

/** Create a token, valid once and for two minutes, with which an administrator acts as a person. */
export async function makeImpersonation(deps: Deps, { realm, sub, by, secondFactor }: Wish) {
  const token = randomBytes(32).toString('base64url')
  const validUntil = new Date(deps.now().getTime() + validForMs)
  await deps.db
    .insertInto('impersonation')
    .values({
      fingerprint: impersonationFingerprint(deps, token),
      realm,
      sub,
      by_sub: by.sub,
      by_username: by.username,
      second_factor: secondFactor,
      expires_at: validUntil,
      session: null,
    })
    .execute()
  return { token, validUntil }
}

const columns = ['sub', 'by_sub', 'by_username', 'second_factor'] as const

/** Impersonation of an unused, valid token of the realm. */
export const findImpersonation = (
  deps: Deps,
  realm: string,
  token: string,
): Promise<Impersonation | undefined> =>
  deps.db
    .selectFrom('impersonation')
    .select(columns)
    .where('fingerprint', '=', impersonationFingerprint(deps, token))
    .where('realm', '=', realm)
    .where('session', 'is', null)
    .where('expires_at', '>', deps.now())
    .executeTakeFirst()

/** Use a token up for this session. Of two calls at once, one gets true. */
export async function beginImpersonation(deps: Deps, token: string, session: string) {
  const { numUpdatedRows } = await deps.db
    .updateTable('impersonation')
    .set({ session })
    .where('fingerprint', '=', impersonationFingerprint(deps, token))
    .where('session', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Administrator who acts as the person of this session; undefined in other sessions. */
export const impersonatorOf = (
  db: Kysely<IdentityDb>,
  session: string,
): Promise<Impersonation | undefined> =>
  db.selectFrom('impersonation').select(columns).where('session', '=', session).executeTakeFirst()

/** Sessions in which this administrator acts as other people. */
export const sessionsActedBy = (db: Kysely<IdentityDb>, sub: string) =>
  db
    .selectFrom('impersonation')
    .select(['realm', 'session'])
    .where('by_sub', '=', sub)
    .where('session', 'is not', null)
    .execute()

/** Delete links and sessions of impersonation a day after their expiry. */
export async function cleanupImpersonations(db: Kysely<IdentityDb>, now: Date) {
  const old = new Date(now.getTime() - keptForMs)
  await db.deleteFrom('impersonation').where('expires_at', '<', old).execute()
}
