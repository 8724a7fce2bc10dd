import type { Kysely } from 'kysely'
import { qualifiedName } from '@longreach/kit/person-name-rules'
import { fullName } from '../accounts/account-rules.ts'
import type { StoredAccount } from '../accounts/account-store.ts'
import { serviceUsername } from '../clients/client-rules.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { impersonatorOf } from '../sessions/impersonation-store.ts'
import type { Rights } from '../rights/rights.ts'
import { everyOrganization, organizationsIn } from './scope-rules.ts'

export type TicketPermission = {
  rsid: string
  rsname: string
  scopes?: string[]
  roles?: string[]
}

/**
 * Most organizations in a token. With `org:*` it has their scopes only when there is just one: tokens
 * are sent in a header, whose length is limited (16 kB in Node).
 */
const mostOrganizations = 100

/** Claims about a person, the same in ID tokens, access tokens and at userinfo. */
export const personClaims = (account: StoredAccount) => ({
  sub: account.sub,
  preferred_username: account.serviceAccount
    ? serviceUsername(account.username)
    : qualifiedName(account.username, account.realm),
  name: fullName(account),
  given_name: account.firstName,
  family_name: account.lastName,
  email: account.email,
  email_verified: account.emailVerified,
})

/** Claims that name the administrator, in tokens of a session of impersonation. */
export async function actorClaims(db: Kysely<IdentityDb>, session: string) {
  const acting = await impersonatorOf(db, session)
  if (!acting) return undefined
  const { by_sub: sub, by_username: username } = acting
  return { act: { sub, preferred_username: username }, impersonator: { sub, username } }
}

type Holder = {
  sub: string
  scope: string
  /** A second factor was used, or the holder is a service account. */
  strong: boolean
  /** Newest event of core at the beginning of the current request, if it was read. */
  newest?: number | undefined
}

/**
 * Value of `authorization.permissions` in a token with this scope: the permissions of its holder in each
 * requested organization. Undefined when the scope names none.
 */
export async function permissionsFor(rights: Rights, { sub, scope, strong, newest }: Holder) {
  const wished = [...new Set(organizationsIn(scope))].slice(0, mostOrganizations)
  if (scope.split(' ').includes(everyOrganization)) return everywhere(rights, { sub, strong })
  if (wished.length === 0) return undefined
  const held = await rights.inOrganizations({ sub, organizations: wished, strong }, newest)
  return wished.flatMap((organization) => held.get(organization) ?? [])
}

/** Subset of permissions in the organizations that a scope names; undefined when it names none. */
export function inScope(permissions: readonly TicketPermission[], scope: string) {
  const named = new Set(organizationsIn(scope))
  return named.size > 0 ? permissions.filter(({ rsname }) => named.has(rsname)) : undefined
}

async function everywhere(
  { core }: Rights,
  { sub, strong }: Omit<Holder, 'scope'>,
): Promise<TicketPermission[]> {
  const memberships = await core.memberships({ query: { sub } })
  const [only, ...more] = memberships
  if (only && more.length === 0) {
    return core.ticketPermissions({ body: { sub, organizations: [only.resourceId], strong } })
  }
  return memberships
    .slice(0, mostOrganizations)
    .map(({ id, resourceId }) => ({ rsid: String(id), rsname: resourceId }))
}
