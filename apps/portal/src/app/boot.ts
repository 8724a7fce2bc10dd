import { AppError } from '@longreach/kit/errors'
import type Keycloak from 'keycloak-js'
import { bearer } from '../lib/api.ts'
import { inPlace, permissionsIn } from '../lib/access-rules.ts'
import { readCookie } from '../lib/cookies.ts'
import { reportProblem } from '../lib/problems.ts'
import { inTab } from '../lib/remembered.ts'
import { fromHashLink } from '../lib/redirect-rules.ts'
import type { Organization, Session } from '../lib/session.ts'
import { core } from './core-calls.ts'
import { enterOrganization, freshToken, identityOf, signIn, signOut } from './identity.ts'

/** What the portal starts with: one of the doors in front of it, or itself. */
export type Start =
  | { kind: 'setup' }
  | { kind: 'login' }
  | { kind: 'failed'; reason: 'lookup' | 'realm'; name: string }
  | { kind: 'selector'; choices: Choices }
  | { kind: 'portal'; session: Session; keycloak: Keycloak; path: string }

export type Choices = {
  organizations: Organization[]
  redirectTo: string | undefined
  problem: { id: string; values?: Record<string, string> } | undefined
  enter: (organization: Organization, then: string) => Promise<void>
  signOut: () => Promise<void>
}

/** Find out where the person stands: realm, identity, organization. Leaves the page to sign in. */
export async function start(): Promise<Start> {
  const old = fromHashLink(location.hash, location.origin)
  if (old !== undefined) history.replaceState(null, '', old)
  const { pathname, search } = location
  const query = new URLSearchParams(search)
  if (pathname === '/setup') return { kind: 'setup' }
  if (pathname === '/' && (await setupNeeded())) return { kind: 'setup' }
  if (pathname === '/login' && query.has('choose')) return { kind: 'login' }

  const found = await findRealm(query.get('realm') ?? undefined)
  if (found.kind !== 'realm') return found
  const keycloak = identityOf(found.realm)
  let path: string
  try {
    path = await signIn(keycloak, pathname + search)
  } catch (cause) {
    reportProblem('Identity did not start', cause)
    inTab.drop('realm')
    return { kind: 'failed', reason: 'realm', name: found.realm }
  }
  inTab.set('realm', found.realm)
  bearer.token = () => freshToken(keycloak)
  return withOrganization(keycloak, found.realm, path)
}

type Found =
  | { kind: 'realm'; realm: string }
  | { kind: 'login' }
  | Extract<Start, { kind: 'failed' }>

/** Chosen in the address, chosen before in this tab, told by the host name, chosen before in this browser. */
async function findRealm(asked: string | undefined): Promise<Found> {
  const chosen = asked ?? inTab.get('realm')
  if (chosen !== undefined) return { kind: 'realm', realm: chosen }
  try {
    const { realmName } = await core.loginInfo({ query: { hostname: location.hostname } })
    return { kind: 'realm', realm: realmName }
  } catch (error) {
    const untold = error instanceof AppError && error.status === 404
    if (!untold) return { kind: 'failed', reason: 'lookup', name: location.hostname }
    const before = readCookie('ccdeforg')
    return before === undefined ? { kind: 'login' } : { kind: 'realm', realm: before }
  }
}

async function withOrganization(keycloak: Keycloak, realm: string, path: string): Promise<Start> {
  const query = new URLSearchParams(path.split('?')[1])
  const scope = /^org:(\S+)/.exec(inTab.get('scope') ?? '')?.[1]
  const organizations = await core.mine({})
  const asked = path.startsWith('/organization') ? undefined : (query.get('org') ?? undefined)
  const selector = (problem?: Choices['problem']): Start => {
    inTab.drop('scope')
    const redirectTo = path.startsWith('/organization') ? query.get('redirectTo') : path
    return {
      kind: 'selector',
      choices: {
        organizations,
        redirectTo: redirectTo ?? undefined,
        problem,
        enter: (organization, then) => enterOrganization(keycloak, organization.resourceId, then),
        signOut: () => signOut(keycloak),
      },
    }
  }
  const leave = async (resourceId: string) => {
    await enterOrganization(keycloak, resourceId, path)
    return new Promise<never>(() => undefined) // the browser is on its way to identity
  }

  if (asked !== undefined) {
    const target = await findOrganization(organizations, asked)
    if (target === undefined) return selector()
    if (target.resourceId !== scope) return leave(target.resourceId)
  }
  // An outside callback needs the selector even where there is nothing to choose for the portal itself.
  if (path.startsWith('/organization?') && query.has('redirectTo')) {
    const inside = query.get('redirectTo')?.startsWith('/') === true
    if (!inside || scope === undefined) return oneOrSelector(organizations, inside, leave, selector)
  }
  if (scope === undefined) return oneOrSelector(organizations, true, leave, selector)

  const organization = await findOrganization(organizations, scope)
  const granted = permissionsIn(keycloak.tokenParsed, scope)
  if (organization === undefined || granted.length === 0) {
    return selector({ id: 'door.noPermissions', values: { id: scope } })
  }
  const session = sessionOf(keycloak, realm, organization, {
    permissions: inPlace(granted, organization),
    choices: organizations.length,
  })
  return { kind: 'portal', session, keycloak, path }
}

function oneOrSelector(
  organizations: Organization[],
  mayEnterAlone: boolean,
  leave: (resourceId: string) => Promise<never>,
  selector: () => Start,
) {
  const [only] = organizations
  return only !== undefined && organizations.length === 1 && mayEnterAlone
    ? leave(only.resourceId)
    : selector()
}

/** By resourceId, name or number: among the person's own, else below one of them. */
async function findOrganization(own: Organization[], asked: string) {
  const known = own.find(
    ({ id, resourceId, name }) => resourceId === asked || name === asked || String(id) === asked,
  )
  if (known !== undefined) return known
  try {
    return await core.organization({ params: { org: asked } })
  } catch (cause) {
    reportProblem(`Organization ${asked} cannot be entered`, cause)
    return undefined
  }
}

async function setupNeeded() {
  try {
    return (await core.setupNeeded({})).needed
  } catch (cause) {
    reportProblem('First-run state unknown', cause)
    return false
  }
}

function sessionOf(
  keycloak: Keycloak,
  realm: string,
  organization: Organization,
  rights: Pick<Session, 'permissions' | 'choices'>,
): Session {
  const claims = (keycloak.tokenParsed ?? {}) as Record<string, unknown>
  const claim = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '')
  const username = claim('preferred_username')
  return {
    realm,
    subject: claim('sub'),
    username,
    displayName: claim('name') || username,
    email: claim('email'),
    organization,
    ...rights,
    signOut: () => signOut(keycloak),
  }
}
