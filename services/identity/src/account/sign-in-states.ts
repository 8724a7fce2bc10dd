import { sql } from 'kysely'
import type { SignInState } from '../accounts/account-contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { accountCounter } from '../sign-in/sign-in.ts'
import { subsWithFactor } from '../accounts/account-store.ts'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'now'>

/** Sign-in states of accounts, read in three statements for any number of them. */
export async function signInStates(deps: Deps, subs: readonly string[]): Promise<SignInState[]> {
  if (subs.length === 0) return []
  const { db } = deps
  const [accounts, strong] = await Promise.all([
    db
      .selectFrom('account')
      .select(['sub', 'realm', 'username', 'last_sign_in_at', 'service_account'])
      .select(sql<boolean>`password_hash is null`.as('without'))
      .select(sql<boolean>`'UPDATE_PASSWORD' = any(required_actions)`.as('temporary'))
      .where('sub', 'in', subs)
      .execute(),
    subsWithFactor(db, subs),
  ])
  const counters = new Map(accounts.map((account) => [accountCounter(deps, account), account.sub]))
  const locks = await locksOf(deps, counters)
  const factors = new Set(strong)
  return accounts.map((account) => {
    const { sub, last_sign_in_at: lastSignIn, without, temporary, service_account } = account
    const awaited = !service_account && lastSignIn === null && (without || temporary)
    const lockedUntil = locks.get(sub) ?? null
    return { sub, secondFactor: factors.has(sub), lastSignIn, lockedUntil, invited: awaited }
  })
}

async function locksOf({ db, now }: Deps, counters: ReadonlyMap<string, string>) {
  if (counters.size === 0) return new Map<string, Date>()
  const rows = await db
    .selectFrom('sign_in_failure')
    .select(['key', 'locked_until'])
    .where('key', 'in', [...counters.keys()])
    .where('locked_until', '>', now())
    .execute()
  return new Map(rows.map(({ key, locked_until }) => [counters.get(key) ?? '', locked_until]))
}
