import type { Kysely } from 'kysely'
import type { Context } from 'oidc-provider'
import type { IdentityDb } from '../identity-tables.ts'

type Origin = { ip: string; userAgent: string }
type Facts = Origin & { realm: string; uid: string; sub: string; now: Date }

/** Save address and browser of a session; a later sign-in in the same session updates them. */
export async function saveSessionFacts(
  db: Kysely<IdentityDb>,
  { realm, uid, sub, ip, userAgent, now }: Facts,
) {
  const used = { ip, user_agent: userAgent, last_access_at: now }
  await db
    .insertInto('session_facts')
    .values({ realm, uid, sub, ...used, started_at: now })
    .onConflict((conflict) => conflict.columns(['realm', 'uid']).doUpdateSet(used))
    .execute()
}

/** Middleware of the provider that saves address and browser of a session after a sign-in. */
export const sessionFacts =
  (db: Kysely<IdentityDb>, realm: string) => async (ctx: Context, next: () => Promise<void>) => {
    await next()
    const { result, session } = ctx.oidc ?? {}
    const from = result?.['from'] as Origin | undefined // as the sign-in pages left it
    if (!from || session?.accountId === undefined) return
    const { uid, accountId: sub } = session
    await saveSessionFacts(db, { realm, uid, sub, ...from, now: new Date() })
  }
