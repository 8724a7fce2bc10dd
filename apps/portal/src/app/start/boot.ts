import type { MessageId } from '@longreach/ui/use-words'
import { AppError } from '@longreach/kit/errors'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { bearer } from '../../parts/api/send.ts'
import { readCookie, writeCookie } from '@longreach/ui/cookies'
import { reportProblem } from '../../parts/api/problems.ts'
import { beginAhead, languageAhead } from './begin-ahead.ts'
import { fromHashLink } from '../sign-in/redirect-rules.ts'
import { inTab } from '../../parts/kept/remembered.ts'
import type { Language } from '../../parts/words/locale-rules.ts'
import type { TicketHolder } from '../session/permission-ticket.ts'
import type { Organization, Session } from '../../parts/session/session.ts'
import { portalSettings } from '../../parts/session/settings.ts'
import { entryNames, hostedAddress, homeAddress, loginQuestion } from './host-rules.ts'
import {
  adapterAhead,
  enterOrganization,
  freshToken,
  type Identity,
  identityOf,
  proveSession,
  signInAgain,
  signIn,
  signOut,
} from '../session/identity.ts'
import { organizationBelow, setupNeeded } from './start-calls.ts'
import { chosenIn } from '../session/identity-place.ts'
import { applyHomeOrganization } from '../session/kept-home-organization.ts'
import type { Pending } from '../sign-in/pending-agreements.ts'
import {
  findOwn,
  selectionOf,
  selectorAddress,
  withoutOrganization,
} from '../sign-in/selection-rules.ts'

/** A message id and its values, and what was thrown where the message says why. */
export type Problem = { id: MessageId; values?: Record<string, string>; cause?: unknown }

export type Choices = {
  organizations: Organization[]
  /** Target after the choice: a path, or the local client's address. */
  redirectTo: string
  problem: Problem | undefined
  enter: (organization: Organization, then: string) => Promise<void>
  signOut: () => Promise<void>
}

/** Result of the start: one of the pages before the portal, or the portal. */
export type Start =
  | { kind: 'setup' }
  | { kind: 'login'; problem?: Problem }
  | { kind: 'failed'; problem: Problem }
  /** The organization that the address leads to cannot be opened; `home` is where people sign in. */
  | { kind: 'no-way'; problem: Problem; home: string }
  | { kind: 'selector'; choices: Choices }
  | { kind: 'register' }
  /** Somebody else is signed in than this tab was of. */
  | { kind: 'other-person'; name: string; goOn: () => void; leave: () => Promise<void> }
  | { kind: 'agreements'; pending: Pending }
  | {
      kind: 'portal'
      session: Session
      identity: Identity
      tickets: TicketHolder
      /** The person's, known before anything is drawn. */
      language: Language
      path: string
    }

/** Find out where the person stands: realm, identity, organization. Leaves the page to sign in. */
export async function start(): Promise<Start> {
  tidyAddress()
  const { pathname, search } = location
  const query = new URLSearchParams(search)
  if (pathname === '/setup') return { kind: 'setup' }
  if (pathname === '/register') return { kind: 'register' }
  if (pathname === '/' && !isReturn() && (await setupNeeded())) return { kind: 'setup' }
  if (pathname === '/login' && query.has('choose')) return { kind: 'login' }

  adapterAhead()
  const found = await findRealm(query.get('realm') ?? returnedRealm())
  if (typeof found !== 'string') return found
  return throughIdentity(found)
}

/** Signed in at a realm, and from there into an organization. */
async function throughIdentity(found: string): Promise<Start> {
  const identity = await identityOf(found).catch((cause: unknown) => {
    reportProblem('Where people sign in is unknown', cause)
  })
  if (identity === undefined) return { kind: 'failed', problem: { id: 'door.lookupFailed' } }
  const { keycloak } = identity
  let path: string
  try {
    path = await signIn(identity, wantedPath(), isReturn())
  } catch (cause) {
    reportProblem('Identity did not start', cause)
    inTab.drop('realm', 'scope')
    const { origin = location.origin } = await portalSettings()
    const problem: Problem = { id: 'door.cannotNavigate', values: { name: found } }
    return { kind: 'no-way', problem, home: `${origin}/login?choose` }
  }
  inTab.set('realm', found)
  const other = otherPerson(identity, path)
  if (other) return other
  if (readCookie('ccdeforg') !== found) writeCookie('ccdeforg', found)
  bearer.token = () => freshToken(identity)
  bearer.refused = () => void proveSession(keycloak)
  try {
    const { pendingAgreements } = await import('../sign-in/pending-agreements.ts')
    const pending = await pendingAgreements(identity, path)
    if (pending) return { kind: 'agreements', pending }
    return await withOrganization(identity, path)
  } catch (cause) {
    reportProblem('The organization could not be entered', cause)
    inTab.drop('scope')
    return { kind: 'failed', problem: { id: 'door.reloadAfterError', cause } }
  }
}

/** A tab belongs to the person who worked in it: it says so before it becomes another's. */
function otherPerson(identity: Identity, path: string): Start | undefined {
  const { sub = '', ...claims } = identity.keycloak.tokenParsed ?? {}
  const before = inTab.get('person')
  const acting = claims['impersonator'] !== undefined
  if (before === undefined || before === sub || acting) {
    // An administrator who stops acting as somebody knows it.
    if (acting) inTab.drop('person')
    else inTab.set('person', sub)
    return undefined
  }
  const name = String(claims['name'] || claims['preferred_username'])
  const goOn = () => {
    inTab.set('person', sub)
    location.assign(path)
  }
  return { kind: 'other-person', name, goOn, leave: () => signInAgain(identity, path) }
}

/** Old hash links, and the page that a remote connection ends on, become plain addresses. */
function tidyAddress() {
  const old = fromHashLink(location.hash, location.origin)
  if (old !== undefined) history.replaceState(null, '', old)
  if (location.pathname === '/vpn_logout') {
    // A tab that a remote connection had opened; where the browser does not allow closing it, it starts anew.
    window.close()
    history.replaceState(null, '', '/')
  }
}

/** Identity sends people back with its answer in the fragment. */
export const isReturn = () =>
  /[#&](code|error)=/.test(location.hash) && /[#&]state=/.test(location.hash)

/**
 * The realm that people left for, or that identity's answer names as its issuer; the adapter checks
 * the answer itself.
 */
function returnedRealm() {
  if (!isReturn()) return undefined
  const leftFor = inTab.take('leftFor')
  if (leftFor !== undefined) return leftFor
  const issuer = new URLSearchParams(location.hash.slice(1)).get('iss') ?? ''
  return /\/realms\/([a-z0-9-]+)$/.exec(issuer)?.[1]
}

function wantedPath() {
  const query = new URLSearchParams(location.search)
  for (const name of entryNames) query.delete(name)
  const path = location.pathname === '/login' ? '/' : location.pathname
  return query.size > 0 ? `${path}?${query}` : path
}

/** Proven in this tab; else asked for in the address, told by the host, or typed before in this browser. */
async function findRealm(asked: string | undefined): Promise<string | Start> {
  const proven = inTab.get('realm')
  const remembered = readCookie('ccdeforg')
  const { hostname, realm, name } = loginQuestion(location, { asked, remembered })
  if (proven !== undefined && (name === undefined || name === proven)) return proven
  try {
    const { realmName, organization, origin } = await earlyCalls.loginInfo({
      query: { hostname, ...(realm !== undefined && { realm }) },
    })
    if (organization !== undefined) return await throughHost({ realmName, organization, origin })
    await goHome()
    if (proven !== realmName) inTab.drop('scope')
    return realmName
  } catch (error) {
    if (!(error instanceof AppError && error.status === 404)) {
      reportProblem('Login information did not come', error)
      return { kind: 'failed', problem: { id: 'door.lookupFailed' } }
    }
    await goHome()
    return loginAfter(name)
  }
}

/** The sign-in page; where a name led nowhere, with the name. */
const loginAfter = (name: string | undefined): Start => ({
  kind: 'login',
  ...(name !== undefined && { problem: { id: 'door.cannotNavigate', values: { name } } }),
})

/** Leave a host that is neither an organization's nor the installation's own. */
async function goHome() {
  const address = homeAddress(location, (await portalSettings()).origin)
  if (address === undefined) return
  location.replace(address)
  await new Promise<never>(() => undefined) // the browser is on its way
}

type Hosted = { realmName: string; organization: string; origin: string | undefined }

/**
 * The host is an organization's: it is chosen, unless the address names another. Sessions are at the
 * one origin of the installation; from a host before its own people go there to sign in and come back.
 */
async function throughHost({ realmName, organization, origin }: Hosted): Promise<string> {
  const { identityUrl } = await portalSettings()
  const mayStay = identityUrl === undefined
  const at = { realmName, organization, origin, mayStay }
  const { address, leave } = hostedAddress(location, at)
  if (inTab.get('realm') !== realmName) inTab.drop('scope')
  if (!leave) {
    if (!isReturn()) history.replaceState(null, '', address)
    return realmName
  }
  location.replace(address)
  return new Promise<never>(() => undefined) // the browser is on its way
}

async function withOrganization(identity: Identity, path: string): Promise<Start> {
  const scope = chosenIn(inTab.get('scope'))
  const { origin } = location
  const owned = earlyCalls.mine({})
  // The page's calls go out beside the organizations; where those do not allow it, nobody sees the answers.
  const begun = scope === undefined ? undefined : beginAhead(identity, scope, path)
  const own = await owned
  const question = { path, origin, scope, own }
  const selection = await applyHomeOrganization(selectionOf(question), question)
  const selector = (redirectTo: string, problem?: Problem): Start => {
    inTab.drop('scope')
    // Its own address, so that a reload, a bookmark and the way back keep where one wanted to go.
    history.replaceState(null, '', selectorAddress(redirectTo))
    return { kind: 'selector', choices: choicesOf(identity, own, redirectTo, problem) }
  }
  if (selection.kind === 'choose') return selector(selection.redirectTo)
  const asked = selection.kind === 'enter' ? selection.asked : selection.resourceId
  const organization = findOwn(own, asked) ?? (await organizationBelow(asked))
  const refused = (path: string) =>
    selector(path, { id: 'door.noPermissions', values: { id: asked } })
  if (selection.kind === 'enter') {
    // A link of somebody else's: it says where it leads, and access can be asked for.
    if (organization === undefined) return refused(withoutOrganization(selection.path, origin))
    await enterOrganization(identity, organization.resourceId, selection.path)
    return new Promise<never>(() => undefined) // the browser is on its way to identity
  }
  if (organization === undefined) return refused(selection.path)
  // With the rules of rights, which nobody needs in front of the portal.
  const [{ sessionIn, ticketsOf }, { keptLanguage }, { keptStartPage }] = await Promise.all([
    import('../session/session-in.ts'),
    import('../session/kept-language.ts'),
    import('../session/kept-start-page.ts'),
  ])
  const tickets = ticketsOf(identity)
  const at = withoutOrganization(selection.path, origin)
  const [session, language] = await Promise.all([
    sessionIn(identity, organization, { choices: own.length, tickets }),
    languageAhead(await begun, organization.resourceId) ?? keptLanguage(organization.resourceId),
    leadsHome.test(at) ? keptStartPage(organization.resourceId) : undefined,
  ])
  if (session === undefined) return refused(selection.path)
  return { kind: 'portal', session, identity, tickets, language, path: at }
}

/** Addresses that the router replaces by the start page. */
const leadsHome = /^\/(home|login|organization)?([?#]|$)/

const choicesOf = (
  identity: Identity,
  organizations: Organization[],
  redirectTo: string,
  problem: Problem | undefined,
): Choices => ({
  organizations,
  redirectTo,
  problem,
  enter: (organization, then) => enterOrganization(identity, organization.resourceId, then),
  signOut: () => signOut(identity),
})
