import type { Kysely } from 'kysely'
import { accountBySub } from '../accounts/account-store.ts'
import { localName } from '@longreach/kit/person-name-rules'
import { chooseLanguage } from '../pages/choose-language.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { makeOneTimeLink } from '../accounts/one-time-link.ts'
import type { Language } from '../pages/words.ts'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now'>
const label = 'identity/password-request'
/** Most accounts of one e-mail address that get a link each. */
const mostAccounts = 5

/**
 * Store a request for a new password until the accounts are looked up. The typed text is sealed, since
 * people type passwords into that field.
 */
export const storePasswordRequest = (
  { db, secrets, now }: Deps,
  { realm, name, language }: { realm: string; name: string; language: Language },
) =>
  db
    .insertInto('password_request')
    .values({ realm, typed: secrets.seal(label, name), language, created_at: now() })
    .execute()

/** Mail a link for every stored request to the accounts that it names, and delete the request. */
export async function answerPasswordRequests(deps: Deps) {
  // Asked each second: without a request this is one statement, where a transaction takes three.
  const first = deps.db.selectFrom('password_request').select('id').limit(1)
  if (!(await first.executeTakeFirst())) return
  while (await answerNextRequest(deps));
}

const answerNextRequest = (deps: Deps) =>
  deps.db.transaction().execute(async (tx) => {
    const [next] = await tx
      .deleteFrom('password_request')
      .where('id', '=', (eb) =>
        eb
          .selectFrom('password_request')
          .select('id')
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .execute()
    if (!next) return false
    const name = deps.secrets.open(label, next.typed).toString()
    const asked = [next.language]
    const language = chooseLanguage({ asked, cookie: undefined, acceptLanguage: undefined })
    for (const sub of await accountsNamed(tx, next.realm, name)) {
      const account = await accountBySub(tx, sub)
      // The mail goes to the address of the account, never to a typed one.
      if (account)
        await makeOneTimeLink({ ...deps, db: tx }, { account, purpose: 'password', language })
    }
    return true
  })

/** Enabled accounts of people with this user name or e-mail address. */
async function accountsNamed(tx: Kysely<IdentityDb>, realm: string, name: string) {
  const rows = await tx
    .selectFrom('account')
    .select('sub')
    .where('realm', '=', realm)
    .where('enabled', '=', true)
    .where('service_account', '=', false)
    .where('email', '!=', '')
    .where(({ eb, or, fn }) =>
      or([
        eb('username', '=', localName(name, realm)),
        eb(fn<string>('lower', ['email']), '=', name.trim().toLowerCase()),
      ]),
    )
    .orderBy('username')
    .limit(mostAccounts)
    .execute()
  return rows.map(({ sub }) => sub)
}
