import type { IdentityDeps } from '../identity-deps.ts'
import type { Secrets } from '@longreach/kit/secrets'
import type { Kysely } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'

type PendingKind = 'totp' | 'passkey-registration' | 'passkey-request'

const livesMs = 15 * 60_000
const pendingLabel = (kind: PendingKind) => `identity/pending/${kind}`

type Place = {
  /** Sign-in (`flow:…`) or session (`session:…`) that may answer. */
  holder: string
  kind: PendingKind
}
type Deps = { db: Kysely<IdentityDb>; secrets: Secrets }

/** Store a secret or challenge for 15 minutes; it replaces the previous one of the kind. */
export async function storePending(
  { db, secrets }: Deps,
  { holder, kind }: Place,
  value: string,
  now: Date,
) {
  const row = {
    sealed: secrets.seal(pendingLabel(kind), value),
    expires_at: new Date(now.getTime() + livesMs),
  }
  await db
    .insertInto('pending_factor')
    .values({ holder, kind, ...row })
    .onConflict((conflict) => conflict.columns(['holder', 'kind']).doUpdateSet(row))
    .execute()
}

/** Pending secret or challenge; undefined when there is none or it expired. */
export async function readPending({ db, secrets }: Deps, { holder, kind }: Place, now: Date) {
  const row = await db
    .selectFrom('pending_factor')
    .select('sealed')
    .where('holder', '=', holder)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && secrets.open(pendingLabel(kind), row.sealed).toString()
}

/** Read and delete a pending secret or challenge. Of two calls at once, one gets it. */
export async function takePending({ db, secrets }: Deps, { holder, kind }: Place, now: Date) {
  const row = await db
    .deleteFrom('pending_factor')
    .where('holder', '=', holder)
    .where('kind', '=', kind)
    .returning(['sealed', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > now
    ? secrets.open(pendingLabel(kind), row.sealed).toString()
    : undefined
}

/** Deletes factors whose setting up was not finished in time. */
export const cleanupPendingFactors = ({ db, now }: Pick<IdentityDeps, 'db' | 'now'>) =>
  db.deleteFrom('pending_factor').where('expires_at', '<', now()).execute()
