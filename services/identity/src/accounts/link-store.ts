import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import type { LinkPurpose } from '../mail/mail-tables.ts'
import { withdrawMails } from '../mail/mail-store.ts'

type Executor = Kysely<IdentityDb>
type Secrets = Pick<IdentityDeps, 'secrets'>

const linkFingerprint = ({ secrets }: Secrets, token: string) =>
  secrets.fingerprint('identity/one-time-link', token)

type Fresh = {
  sub: string
  purpose: LinkPurpose
  expiresAt: Date
  email?: string
  organization?: { resourceId: string; label: string } | undefined
}

/**
 * Insert a one-time link and answer its token of 256 bits; the database keeps a fingerprint. It replaces
 * the older link of the same purpose.
 */
export async function insertLink(tx: Executor, deps: Secrets, fresh: Fresh) {
  const { sub, purpose, expiresAt, email, organization } = fresh
  const token = randomBytes(32).toString('base64url')
  const row = {
    fingerprint: linkFingerprint(deps, token),
    expires_at: expiresAt,
    email: email ?? null,
    organization: organization?.resourceId ?? null,
    organization_label: organization?.label ?? null,
  }
  await withdrawMails(tx, sub, purpose)
  await tx
    .insertInto('one_time_link')
    .values({ ...row, sub, purpose })
    .onConflict((conflict) => conflict.columns(['sub', 'purpose']).doUpdateSet(row))
    .execute()
  return token
}

/** Link of a token; undefined when it is used, replaced or expired. */
export const findValidLink = (
  db: Executor,
  deps: Secrets & Pick<IdentityDeps, 'now'>,
  token: string,
) =>
  db
    .selectFrom('one_time_link')
    .selectAll()
    .where('fingerprint', '=', linkFingerprint(deps, token))
    .where('expires_at', '>', deps.now())
    .executeTakeFirst()
export type Link = NonNullable<Awaited<ReturnType<typeof findValidLink>>>

/** Use a link up. Of two calls at once, one gets true. */
export async function spendLink(tx: Executor, { fingerprint }: Link) {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_link')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** End every link that was sent to the person. */
export async function endLinksOf(tx: Executor, sub: string) {
  await tx.deleteFrom('one_time_link').where('sub', '=', sub).execute()
  await withdrawMails(tx, sub)
}

/** Deletes links that expired. */
export const cleanupLinks = ({ db, now }: Pick<IdentityDeps, 'db' | 'now'>) =>
  db.deleteFrom('one_time_link').where('expires_at', '<', now()).execute()
