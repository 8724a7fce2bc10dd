import type { Refusals } from '@longreach/kit/refusals'
import { bearerOf } from '../tokens/access-token.ts'
import { decodeJwt } from 'jose'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type StoredAccount, subsWithFactor } from '../accounts/account-store.ts'
import { problemPage } from '../pages/error-page.ts'
import { cookieOf, formCookie, isOwnForm, sessionOfCookie, userAndDomain } from './form-session.ts'
import type { IdentityDeps, RealmDeps } from '../identity-deps.ts'
import { knownBrowserCookie, rememberBrowser } from './known-browser.ts'
import { pageHeaders } from '../pages/page.ts'
import { languageOf } from '../pages/page-language.ts'
import type { Call } from '../realms/realm-call.ts'
import type { Realm, Realms } from '../realms/realm.ts'
import { endSession, findSession, extendSession } from '../sessions/session-store.ts'
import { signIn } from './sign-in.ts'
import { recordSignIn, recordSignInRefusal } from './sign-in-trail.ts'
import { clearedSessionCookies, startSession } from './start-session.ts'
import { say, type Word } from '../pages/words.ts'

/** Paths of the form login: the original one, and one below the services. */
const loginPaths = ['/manage/access/login', '/svc/identity/access/login']
const logoutPath = '/manage/access/logout'
const pingPath = '/manage/commands/commands.access.client.ping'
const cookieName = 'longreach_form'

type Form = {
  deps: RealmDeps
  realms: Realms
  refused: Refusals
  request: FastifyRequest
  reply: FastifyReply
  /** Path of the request. */
  path: string
  field: (name: string) => string
}

/**
 * Routes of the form login for existing programs, with name and password. A program that sends the
 * cookie of an earlier sign-in has its own count of wrong passwords, so that other callers cannot lock
 * it out; without cookies it shares the count of the user name.
 */
export function formLoginRoutes(
  app: FastifyInstance,
  { deps, realms, refused }: Pick<Form, 'deps' | 'realms' | 'refused'>,
) {
  const route = (method: 'GET' | 'POST', url: string, answer: (form: Form) => Promise<unknown>) =>
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
        const field = (name: string) => form.get(name) ?? ''
        reply.header('cache-control', 'no-store')
        if (method === 'POST' && !isOwnForm(request.headers, deps.site.origin)) {
          return reply.code(403).send({ success: false, error: 'foreign_form' })
        }
        return answer({ deps, realms, refused, request, reply, path: url, field })
      },
    })
  for (const path of loginPaths) route('POST', path, login)
  route('POST', logoutPath, endFormSession)
  route('GET', pingPath, ping)
}

async function login(form: Form) {
  const { deps, realms, request, field } = form
  const named = userAndDomain(field('emi_username').slice(0, 320))
  const realm = named && (await realms.find(named.realm))
  const username = named?.username ?? field('emi_username')
  const outcome = await signIn(deps, {
    // A name without a realm is checked as well, so that the time and the count are the same.
    realm: named?.realm ?? '',
    username,
    password: field('emi_password'),
    ip: request.ip,
    known: knownBrowserCookie(form),
    // A correct password that is not enough for the account is answered as a wrong one.
    alsoNeeds: (account) => mayUseForm(deps, account, named?.domain ?? ''),
  })
  if (outcome.kind !== 'accepted' || !realm) {
    if (realm)
      await recordSignInRefusal(callOf(form, realm), {
        username,
        locked: outcome.kind === 'locked',
      })
    if (outcome.kind === 'locked') return refuseForm(form, 429, 'locked', outcome.retryAfterS)
    return refuseForm(form, 401, 'formWrong')
  }
  return startFormSession(form, realm, outcome.account)
}

/**
 * Test that the account needs only a password, and that the person belongs to the organization of the
 * domain.
 */
async function mayUseForm(deps: IdentityDeps, account: StoredAccount, domain: string) {
  const [strong] = await subsWithFactor(deps.db, [account.sub])
  if (strong !== undefined || account.requiredActions.length > 0) return false
  if (!domain.includes('.')) return true
  const memberships = await deps.clients.core.memberships({ query: { sub: account.sub } })
  return memberships.some(({ resourceId }) => resourceId === domain)
}

/** Start a session after a correct password. */
async function startFormSession(form: Form, realm: Realm, account: StoredAccount) {
  const { deps } = form
  const call = callOf(form, realm)
  const { sub } = account
  const begun = await startSession(call, { sub, amr: ['pwd'], acr: '1' })
  if (!begun) return refuseForm(form, 401, 'formWrong')
  await recordSignIn(call, account, ['pwd'])
  rememberBrowser(call, account.username, form.path)
  const value = formCookie(deps.secrets, { realm: realm.name, uid: begun.uid })
  return sendSuccess(form, [...begun.cookies, formSessionCookie(deps, value)])
}

async function endFormSession(form: Form) {
  const { deps, realms } = form
  const own = formSessionOf(form)
  const realm = own && (await realms.find(own.realm))
  if (own) await endSession(deps.db, own.realm, own.uid)
  const forgotten = realm ? clearedSessionCookies({ realm }) : []
  return sendSuccess(form, [...forgotten, `${formSessionCookie(deps, '')}; Max-Age=0`])
}

/** Extend the session, up to its longest duration. */
async function ping(form: Form) {
  const { deps, reply } = form
  const own = formSessionOf(form) ?? (await sessionOfBearer(form))
  if (!own || !(await findSession(deps.db, own.realm, own.uid))) {
    return reply.code(401).send({ alive: false })
  }
  await extendSession(deps.db, { realm: own.realm, uid: own.uid })
  return reply.send({ alive: true })
}

const formSessionOf = ({ deps, request }: Form) =>
  sessionOfCookie(deps.secrets, cookieOf(request.headers.cookie, cookieName))

/** Session of an access token, with which the portal extends its own session. */
async function sessionOfBearer({ deps, realms, request }: Form) {
  const { authorization } = request.headers
  const name = realmOfBearer(authorization)
  const realm = name === undefined ? undefined : await realms.find(name)
  const bearer = realm && (await bearerOf(deps, realm, authorization))
  return bearer && { realm: realm.name, uid: bearer.claims.sid }
}

/** Realm in the issuer of an unverified token; the token is verified with the keys of that realm. */
function realmOfBearer(header: string | undefined) {
  try {
    const { iss = '' } = decodeJwt(header?.replace(/^Bearer /i, '') ?? '')
    return /\/realms\/([a-z0-9-]{1,63})$/.exec(iss)?.[1]
  } catch {
    return undefined // not a JWT; the caller answers 401
  }
}

const formSessionCookie = ({ site }: IdentityDeps, value: string) =>
  `${cookieName}=${value}; Path=/manage; HttpOnly; SameSite=Lax${site.origin.startsWith('https:') ? '; Secure' : ''}`

function callOf({ deps, refused, request, reply, field }: Form, realm: Realm): Call {
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  return { deps, realm, refused, request, reply, field, form, query: {} }
}

/** Success: 200 for scripts, 302 for forms; existing programs accept both. */
function sendSuccess(form: Form, cookies: string[]) {
  const { deps, reply } = form
  reply.header('set-cookie', cookies)
  if (byScript(form)) return reply.send({ success: true })
  return reply.redirect(`${deps.site.origin}/`, 302)
}

const byScript = ({ field }: Form) => !['', '0', 'false'].includes(field('ajax').toLowerCase())

function refuseForm(form: Form, status: number, word: Word, retryAfterS?: number) {
  const { deps, request, reply } = form
  const language = languageOf(request.headers, {})
  const minutes = Math.ceil((retryAfterS ?? 0) / 60)
  const message = say(language, word, { minutes })
  if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS))
  reply.code(status)
  if (byScript(form)) return reply.send({ success: false, error: word, message })
  return reply
    .headers(pageHeaders(deps.site.origin))
    .send(problemPage(language, deps.site.origin, message))
}
