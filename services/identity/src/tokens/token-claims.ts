import type { Kysely } from 'kysely'
import { qualifiedName } from '@longreach/kit/person-name-rules'
import { fullName } from '../accounts/account-rules.ts'
import type { StoredAccount } from '../accounts/account-store.ts'
import { serviceUsername } from '../clients/client-rules.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { impersonatorOf } from '../sessions/impersonation-store.ts'
import { rightsIn } from './rights-asked.ts'
import { everyOrganization, organizationsIn } from './scope-rules.ts'

export type TicketPermission = {
  rsid: string
  rsname: string
  scopes?: string[]
  roles?: string[]
}

/**
 * With `org:*` a token names this many organizations at most, and their scopes only when there is just
 * one: a token travels in a header, and headers have an end (16 kB in Node).
 */
const mostOrganizations = 100

/** Claims about a person, in ID tokens, at userinfo and in access tokens alike. */
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

/** Who really acts, in tokens of a session in which an administrator is somebody else. */
export async function actorClaims(db: Kysely<IdentityDb>, session: string) {
  const acting = await impersonatorOf(db, session)
  if (!acting) return undefined
  const { by_sub: sub, by_username: username } = acting
  return { act: { sub, preferred_username: username }, impersonator: { sub, username } }
}

type Core = Pick<IdentityDeps['clients'], 'core'>

type Holder = {
  sub: string
  scope: string
  /** A second factor was used, or the holder is a program. */
  strong: boolean
  /** Core's newest event when the call at hand began, if it was read. */
  newest?: number | undefined
}

/**
 * `authorization.permissions` of a token with this scope: what core says its holder may do in each
 * organization asked for. Undefined when no organization is asked for.
 */
export async function permissionsFor({ core }: Core, { sub, scope, strong, newest }: Holder) {
  const wished = [...new Set(organizationsIn(scope))].slice(0, mostOrganizations)
  if (scope.split(' ').includes(everyOrganization)) return everywhere({ core }, { sub, strong })
  if (wished.length === 0) return undefined
  const held = await rightsIn(core, { sub, organizations: wished, strong }, newest)
  return wished.flatMap((organization) => held.get(organization) ?? [])
}

/** Of some permissions those in organizations that a scope names; undefined when it names none. */
export function inScope(permissions: readonly TicketPermission[], scope: string) {
  const named = new Set(organizationsIn(scope))
  return named.size > 0 ? permissions.filter(({ rsname }) => named.has(rsname)) : undefined
}

async function everywhere(
  { core }: Core,
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
