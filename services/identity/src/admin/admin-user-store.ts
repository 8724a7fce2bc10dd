import type { Kysely } from 'kysely'
import { localName } from '@longreach/kit/person-name-rules'
import { accountColumns, type StoredAccount } from '../accounts/account-store.ts'
import type { UserQuery } from './admin-representation.ts'
import { usernameOfService } from '../clients/client-rules.ts'
import type { IdentityDb } from '../identity-tables.ts'

const like = (part: string) => `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

const accountsOf = (db: Kysely<IdentityDb>) => db.selectFrom('account')
type Accounts = ReturnType<typeof accountsOf>

/** Filter by first and last name, equal (`exact`) or contained. */
function filterByName(all: Accounts, { firstName, lastName, exact }: UserQuery): Accounts {
  const whole = exact === 'true'
  const parts = [
    ['first_name', firstName],
    ['last_name', lastName],
  ] as const
  return parts.reduce(
    (query, [column, part]) =>
      part === undefined
        ? query
        : query.where((is) =>
            is(
              is.fn('lower', [column]),
              whole ? '=' : 'like',
              whole ? part.toLowerCase() : like(part),
            ),
          ),
    all,
  )
}

/** Filter of a search for users. Service accounts are found only by their exact name, as in Keycloak. */
function matching(db: Kysely<IdentityDb>, realm: string, asked: UserQuery) {
  const { search, username, email, exact, enabled, emailVerified } = asked
  const { q, idpAlias, idpUserId } = asked
  const service = username === undefined ? undefined : usernameOfService(username)
  let query = accountsOf(db)
    .where('realm', '=', realm)
    .where('service_account', '=', service !== undefined)
  if (service !== undefined) return query.where('username', '=', service)
  if (username !== undefined) {
    const name = localName(username, realm)
    query = query.where(
      'username',
      exact === 'true' ? '=' : 'like',
      exact === 'true' ? name : like(name),
    )
  }
  if (email !== undefined) {
    query = query.where((is) =>
      is(
        is.fn('lower', ['email']),
        exact === 'true' ? '=' : 'like',
        exact === 'true' ? email.toLowerCase() : like(email),
      ),
    )
  }
  if (enabled !== undefined) query = query.where('enabled', '=', enabled === 'true')
  if (emailVerified !== undefined) {
    query = query.where('email_verified', '=', emailVerified === 'true')
  }
  query = filterByName(query, asked)
  // Accounts have no attributes and no identity provider: such a filter matches nobody.
  if ([q, idpAlias, idpUserId].some((one) => one !== undefined && one !== '')) {
    query = query.where((is) => is.val(false))
  }
  if (search === undefined || search === '') return query
  const part = like(search)
  return query.where((is) =>
    is.or([
      is('username', 'like', part),
      is(is.fn('lower', ['email']), 'like', part),
      is(is.fn('lower', ['first_name']), 'like', part),
      is(is.fn('lower', ['last_name']), 'like', part),
    ]),
  )
}

export const searchAccounts = (
  db: Kysely<IdentityDb>,
  realm: string,
  asked: UserQuery,
): Promise<(StoredAccount & { createdAt: Date })[]> =>
  matching(db, realm, asked)
    .select([...accountColumns, 'created_at as createdAt'])
    .orderBy('username')
    .offset(asked.first)
    .limit(asked.max)
    .execute()

export async function countAccounts(db: Kysely<IdentityDb>, realm: string, asked: UserQuery) {
  const { count } = await matching(db, realm, asked)
    .select((is) => is.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
