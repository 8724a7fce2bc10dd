import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { storePending, readPending, takePending } from './pending-store.ts'
import { newTotpSecret, totpStep } from './totp-rules.ts'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'now'>

const sealedAs = (id: string) => `identity/totp/${id}`
/** Most apps of an account: each one is another secret that a guessed code may match. */
const mostApps = 5

const appsOf = (db: Kysely<IdentityDb>, sub: string) =>
  db
    .selectFrom('authenticator_app')
    .select(['id', 'sealed', 'last_step'])
    .where('sub', '=', sub)
    .orderBy('created_at')
    .execute()

/** Unconfirmed secret that this sign-in or session was shown; a new one when there is none. */
export async function pendingTotp(deps: Deps, holder: string) {
  const place = { holder, kind: 'totp' } as const
  const found = await readPending(deps, place, deps.now())
  if (found !== undefined) return found
  const secret = newTotpSecret()
  await storePending(deps, place, secret, deps.now())
  return secret
}

type Confirmation = { sub: string; holder: string; code: string; label: string }

/**
 * Save an authenticator app after its first code, and answer its id; undefined when the code is wrong or
 * the account has too many apps. The code cannot be used again.
 */
export async function confirmTotp(deps: Deps, { sub, holder, code, label }: Confirmation) {
  const now = deps.now()
  const place = { holder, kind: 'totp' } as const
  const secret = await readPending(deps, place, now)
  const step = secret === undefined ? undefined : totpStep(secret, code, now)
  if (secret === undefined || step === undefined) return undefined
  return deps.db.transaction().execute(async (db) => {
    if ((await takePending({ db, secrets: deps.secrets }, place, now)) !== secret) return undefined
    if ((await appsOf(db, sub)).length >= mostApps) return undefined
    const id = randomUUID()
    const sealed = deps.secrets.seal(sealedAs(id), secret)
    await db
      .insertInto('authenticator_app')
      .values({
        id,
        sub,
        label: label.trim().slice(0, 100),
        sealed,
        last_step: step,
        created_at: now,
      })
      .execute()
    return id
  })
}

/** Test of a code against the person's apps. A correct code is used up: each time step counts once. */
export async function useTotpCode({ db, secrets, now }: Deps, sub: string, code: string) {
  for (const { id, sealed, last_step } of await appsOf(db, sub)) {
    const step = totpStep(secrets.open(sealedAs(id), sealed).toString(), code, now())
    if (step === undefined || step <= Number(last_step)) continue
    const { numUpdatedRows } = await db
      .updateTable('authenticator_app')
      .set({ last_step: step })
      .where('id', '=', id)
      .where('last_step', '<', String(step))
      .executeTakeFirst()
    if (numUpdatedRows === 1n) return true
  }
  return false
}
