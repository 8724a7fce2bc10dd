import { inPlace } from '../lib/access-rules.ts'
import { grantedIn } from '../lib/permission-ticket.ts'
import { inTab } from '../lib/remembered.ts'
import type { Organization, Session } from '../lib/session.ts'
import {
  accountConsole,
  enterOrganization,
  type Identity,
  signInAgain,
  signOut,
  ticketExchange,
} from './identity.ts'

/** What a person is and may in an organization; undefined when they may nothing there. */
export async function sessionIn(
  identity: Identity,
  organization: Organization,
  choices: number,
): Promise<Session | undefined> {
  const { keycloak, realm } = identity
  const exchange = ticketExchange(keycloak, realm)
  const granted = await grantedIn(keycloak.tokenParsed, organization.resourceId, exchange)
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
    ...rights,
    enter: (resourceId, path) => enterOrganization(identity, resourceId, path),
    choose: () => {
      inTab.drop('scope')
      location.assign('/organization')
    },
    signInAgain: (path) => signInAgain(identity, path),
    signOut: () => signOut(keycloak),
  }
}
