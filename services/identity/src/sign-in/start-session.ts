import { clearedCookies } from './login.ts'
import { sessionStateCookie, sessionStateOf } from '../sessions/session-state.ts'
import { pinToIssuer } from '../realms/provider-request.ts'
import type { Call } from '../realms/realm-call.ts'
import { saveSessionFacts } from '../sessions/session-facts.ts'
import { endSession, sessionTtlS } from '../sessions/session-store.ts'

type Beginning = {
  sub: string
  /** Methods of authentication, as in tokens. */
  amr: string[]
  acr: '1' | '2'
  /** Called with the id of the session before it is saved; false: no session starts. */
  claim?: (uid: string) => Promise<boolean>
}

/** Request whose answer may set cookies of the realm. */
type Browsing = Pick<Call, 'deps' | 'realm' | 'request' | 'reply'>

/**
 * Start a session of the realm without an authorization request. Answers its id, its end and its
 * cookies; the previous session of the browser ends. Undefined when `claim` answers false.
 */
export async function startSession(call: Browsing, { sub, amr, acr, claim }: Beginning) {
  const { deps, realm, request, reply } = call
  const { provider } = realm
  const ctx = provider.createContext(pinToIssuer(request, realm, '/login-actions'), reply.raw)
  ctx.cookies.secure = ctx.secure
  const before = await provider.Session.get(ctx)
  const session = new provider.Session()
  if (claim && !(await claim(session.uid))) return undefined
  if (before.accountId !== undefined) await endSession(deps.db, realm.name, before.uid)
  session.loginAccount({ accountId: sub, amr, acr })
  const ttlS = sessionTtlS(session.loginTs, amr)
  await session.save(ttlS)
  await saveSessionFacts(deps.db, {
    realm: realm.name,
    uid: session.uid,
    sub,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    now: new Date(),
  })
  const expires = new Date(Date.now() + ttlS * 1000)
  const options = { ...realm.sessionCookie, expires }
  ctx.cookies.set(provider.cookieName('session'), session.jti, options)
  // Without this cookie the session-check frame reports that nobody is signed in.
  const visible = { ...realm.sessionCookie, signed: false, httpOnly: false }
  ctx.cookies.set(sessionStateCookie, sessionStateOf(session.uid), visible)
  return { uid: session.uid, expires, cookies: takeCookies(call) }
}

/** Move the cookies that the provider set on the raw response to Fastify’s. */
function takeCookies({ reply }: Browsing) {
  const set = reply.raw.getHeader('set-cookie')
  reply.raw.removeHeader('set-cookie')
  return [set ?? []].flat().map(String)
}

/** Cookies that delete the session of the realm in the browser. */
export function clearedSessionCookies(call: Pick<Call, 'realm'>) {
  const name = call.realm.provider.cookieName('session')
  return clearedCookies(call, [name, `${name}.sig`, sessionStateCookie])
}
