import type { Secrets } from '@longreach/kit/secrets'
import type { Kysely } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'

type PendingKind = 'totp' | 'passkey-registration' | 'passkey-request'

const livesMs = 15 * 60_000
const label = (kind: PendingKind) => `identity/pending/${kind}`

type Place = {
  /** A sign-in (`flow:…`) or a session (`session:…`): nobody else can answer. */
  holder: string
  kind: PendingKind
}
type Deps = { db: Kysely<IdentityDb>; secrets: Secrets }

/** Keep a secret or challenge until it is answered; an earlier one of the kind is void. */
export async function keepPending(
  { db, secrets }: Deps,
  { holder, kind }: Place,
  value: string,
  now: Date,
) {
  const row = {
    sealed: secrets.seal(label(kind), value),
    expires_at: new Date(now.getTime() + livesMs),
  }
  await db
    .insertInto('pending_factor')
    .values({ holder, kind, ...row })
    .onConflict((conflict) => conflict.columns(['holder', 'kind']).doUpdateSet(row))
    .execute()
}

export async function readPending({ db, secrets }: Deps, { holder, kind }: Place, now: Date) {
  const row = await db
    .selectFrom('pending_factor')
    .select('sealed')
    .where('holder', '=', holder)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && secrets.open(label(kind), row.sealed).toString()
}

/** Take it away: of two answers at once, one finds it. */
export async function takePending({ db, secrets }: Deps, { holder, kind }: Place, now: Date) {
  const row = await db
    .deleteFrom('pending_factor')
    .where('holder', '=', holder)
    .where('kind', '=', kind)
    .returning(['sealed', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > now ? secrets.open(label(kind), row.sealed).toString() : undefined
}
