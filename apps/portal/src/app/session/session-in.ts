import { inPlace, resourceRolesIn } from '../../parts/access/access-rules.ts'
import { grantedByTicket, grantedIn, type TicketHolder, ticketHolder } from './permission-ticket.ts'
import { inTab } from '../../parts/kept/remembered.ts'
import type { Organization, Session } from '../../parts/session/session.ts'
import {
  accountConsole,
  enterOrganization,
  type Identity,
  signInAgain,
  signOut,
  ticketExchange,
} from './identity.ts'
import { latestEnd } from './session-end.ts'

/** The tickets of a session: one holder for whatever asks what the person may. */
export const ticketsOf = ({ keycloak, realm }: Identity) =>
  ticketHolder(ticketExchange(keycloak, realm))

/** Session of a person in an organization; undefined if they have no permission there. */
export async function sessionIn(
  identity: Identity,
  organization: Organization,
  { choices, tickets }: { choices: number; tickets: TicketHolder },
): Promise<Session | undefined> {
  const { keycloak } = identity
  const granted = await grantedIn(keycloak.tokenParsed, organization.resourceId, tickets)
  if (granted.length === 0) return undefined
  return sessionOf(identity, organization, { permissions: inPlace(granted, organization), choices })
}

function sessionOf(
  identity: Identity,
  organization: Organization,
  rights: Pick<Session, 'permissions' | 'choices'>,
): Session {
  const { keycloak, place, realm } = identity
  const claims: Record<string, unknown> = keycloak.tokenParsed ?? {}
  // Tickets of other organizations are kept apart, or each would drop the one in use.
  const elsewhere = ticketHolder(ticketExchange(keycloak, realm))
  const claim = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '')
  const username = claim('preferred_username')
  return {
    realm,
    subject: claim('sub'),
    username,
    displayName: claim('name') || username,
    email: claim('email'),
    impersonator: (claims['impersonator'] as { username?: string } | undefined)?.username,
    accountConsole: place.external ? accountConsole(keycloak) : undefined,
    organization,
    resourceRoles: resourceRolesIn(claims),
    endsAt: place.external ? undefined : latestEnd(keycloak.idTokenParsed, claims),
    permissionsIn: async (other) =>
      inPlace(await grantedByTicket(other.resourceId, elsewhere), other),
    ...rights,
    enter: (resourceId, path) => enterOrganization(identity, resourceId, path),
    choose: () => {
      inTab.drop('scope')
      location.assign('/organization')
    },
    signInAgain: (path) => signInAgain(identity, path),
    signOut: () => signOut(identity),
  }
}
