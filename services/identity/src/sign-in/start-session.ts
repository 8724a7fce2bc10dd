import { clearedCookies } from './login.ts'
import { sessionStateCookie, sessionStateOf } from '../sessions/session-state.ts'
import { pinned } from '../realms/provider-request.ts'
import type { Call } from '../realms/realm-call.ts'
import { keepSessionFacts } from '../sessions/session-facts.ts'
import { endSession, sessionTtlS } from '../sessions/session-store.ts'

type Beginning = {
  sub: string
  /** How the person was recognized, as tokens tell it. */
  amr: string[]
  acr: '1' | '2'
  /** Called with the session's id before the session is there; false: nothing begins. */
  claim?: (uid: string) => Promise<boolean>
}

/** A request whose answer may set the realm's cookies. */
type Browsing = Pick<Call, 'deps' | 'realm' | 'request' | 'reply'>

/**
 * Begin a session of the realm outside of an authorization request. Answers its id, the moment it
 * ends and the cookies that make it the browser's; whoever was signed in there is signed out.
 */
export async function startSession(call: Browsing, { sub, amr, acr, claim }: Beginning) {
  const { deps, realm, request, reply } = call
  const { provider } = realm
  const ctx = provider.createContext(pinned(request, realm, '/login-actions'), reply.raw)
  ctx.cookies.secure = ctx.secure
  const before = await provider.Session.get(ctx)
  const session = new provider.Session()
  if (claim && !(await claim(session.uid))) return undefined
  if (before.accountId !== undefined) await endSession(deps.db, realm.name, before.uid)
  session.loginAccount({ accountId: sub, amr, acr })
  const ttlS = sessionTtlS(session.loginTs, amr)
  await session.save(ttlS)
  await keepSessionFacts(deps.db, {
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
  // Without it the session-check frame would say that nobody is signed in here.
  const visible = { ...realm.sessionCookie, signed: false, httpOnly: false }
  ctx.cookies.set(sessionStateCookie, sessionStateOf(session.uid), visible)
  return { uid: session.uid, expires, cookies: takeCookies(call) }
}

/** The provider writes cookies to the bare answer; Fastify wants them through its own. */
function takeCookies({ reply }: Browsing) {
  const set = reply.raw.getHeader('set-cookie')
  reply.raw.removeHeader('set-cookie')
  return [set ?? []].flat().map(String)
}

/** Cookies that make the browser forget its session of the realm. */
export function forgottenSession(call: Pick<Call, 'realm'>) {
  const name = call.realm.provider.cookieName('session')
  return clearedCookies(call, [name, `${name}.sig`, sessionStateCookie])
}
