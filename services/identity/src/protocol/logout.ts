import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeJwt, jwtVerify } from 'jose'
import { browserSession } from '../sessions/browser-session.ts'
import { clearedCookies } from '../sign-in/login.ts'
import { isClient, mayRedirectAfterLogout } from '../clients/oauth-clients.ts'
import { html, page, pageHeaders } from '../pages/page.ts'
import { problemPage } from '../pages/error-page.ts'
import { languageOf } from '../pages/page-language.ts'
import { sessionStateCookie } from '../sessions/session-state.ts'
import { realmPath, type Call, text } from '../realms/realm-call.ts'
import { endSession } from '../sessions/session-store.ts'
import { recordSignOut } from '../sign-in/sign-in-trail.ts'
import { say } from '../pages/words.ts'

type Wish = {
  hint: string | undefined
  client: string | undefined
  redirect: string | undefined
  state: string | undefined
}

/**
 * GET and POST of the end-session endpoint. With `id_token_hint` it ends that session; without, it asks
 * for confirmation.
 */
export async function logout(call: Call) {
  const read = (name: string) => call.field(name) ?? text(call.query[name])
  const wish: Wish = {
    hint: read('id_token_hint'),
    client: read('client_id'),
    redirect: read('post_logout_redirect_uri'),
    state: read('state'),
  }
  const hinted = wish.hint === undefined ? undefined : await sessionOfHint(call, wish.hint)
  if (wish.hint !== undefined && !hinted) return problem(call, 'id_token_hint is not valid')
  if (hinted && wish.client !== undefined && wish.client !== hinted.client) {
    return problem(call, 'client_id is not the one of id_token_hint')
  }
  const client = hinted?.client ?? wish.client
  if (!mayLeaveTo(call, client, wish.redirect)) {
    return problem(call, 'post_logout_redirect_uri is not an address of this client')
  }
  if (hinted) {
    await recordSignOut(call, hinted.sid)
    await endSession(call.deps.db, call.realm.name, hinted.sid)
    return leave(call, wish)
  }
  const own = await ownSession(call)
  return own === undefined ? leave(call, wish) : sendLogoutPage(call, wish, own)
}

/** POST of the confirmation page: end the session of the browser. */
export async function confirmLogout(call: Call) {
  const { deps, realm, field } = call
  const own = await ownSession(call)
  const wish: Wish = {
    hint: undefined,
    client: field('client_id'),
    redirect: field('post_logout_redirect_uri'),
    state: field('state'),
  }
  if (own === undefined) return leave(call, { ...wish, redirect: undefined })
  const [given, expected] = [field('proof') ?? '', logoutProof(call, own)].map((one) =>
    Buffer.from(one),
  )
  if (
    !given ||
    !expected ||
    given.length !== expected.length ||
    !timingSafeEqual(given, expected)
  ) {
    return problem(call, 'the confirmation does not belong to this session')
  }
  if (!mayLeaveTo(call, wish.client, wish.redirect)) {
    return problem(call, 'post_logout_redirect_uri is not an address of this client')
  }
  await recordSignOut(call, own)
  await endSession(deps.db, realm.name, own)
  return leave(call, wish)
}

/** Session and client that an ID token of this realm names; an expired token is accepted. */
async function sessionOfHint({ realm }: Call, hint: string) {
  try {
    // An expired token is still a hint; only its signature and issuer are checked.
    const currentDate = new Date((decodeJwt(hint).iat ?? 0) * 1000)
    const checks = { issuer: realm.issuer, algorithms: ['RS256'], currentDate }
    const { payload, protectedHeader } = await jwtVerify(hint, realm.publicKeys, checks)
    const { sid, aud } = payload
    const client = typeof aud === 'string' ? aud : undefined
    if (protectedHeader.typ !== undefined || typeof sid !== 'string' || !isClient(client)) {
      return undefined
    }
    return { sid, client }
  } catch {
    return undefined // not an ID token of this realm; the caller says so
  }
}

const mayLeaveTo = ({ realm }: Call, client: string | undefined, redirect: string | undefined) =>
  redirect === undefined ||
  (client !== undefined &&
    isClient(client) &&
    mayRedirectAfterLogout(client, redirect, realm.origins))

/** Session id of the browser’s cookie. */
async function ownSession(call: Call) {
  return (await browserSession(call))?.uid
}

/** Proof that the confirmation page was shown to this session, against requests from other sites. */
const logoutProof = ({ deps, realm }: Call, session: string) =>
  createHmac('sha256', deps.secrets.derive(`identity/logout/${realm.name}`))
    .update(session)
    .digest('base64url')

function leave(call: Call, { redirect, state }: Wish) {
  const { reply, realm } = call
  const session = realm.provider.cookieName('session')
  reply.header('set-cookie', clearedCookies(call, [session, `${session}.sig`, sessionStateCookie]))
  reply.header('cache-control', 'no-store')
  // An existing client waits for an address that contains `logout-confirm`.
  if (redirect === undefined) {
    return reply.redirect(`${realm.issuer}/protocol/openid-connect/logout/logout-confirm`, 303)
  }
  const target = new URL(redirect)
  if (state !== undefined) target.searchParams.set('state', state)
  return reply.redirect(target.href, 303)
}

/** Page after sign-out without a redirect address. */
export function signedOut({ request, reply, realm, query }: Call) {
  const language = languageOf(request.headers, query)
  const content = html`<h1>${say(language, 'signedOutTitle')}</h1>
    <p class="lead">${say(language, 'signedOutText')}</p>
    <a class="button" href="${realm.origin}/">${say(language, 'toPortal')}</a>`
  const body = page({ language, title: say(language, 'signedOutTitle'), content })
  return reply.headers(pageHeaders(realm.origin)).send(body)
}

function sendLogoutPage(call: Call, { client, redirect, state }: Wish, session: string) {
  const { request, reply, realm, query } = call
  const language = languageOf(request.headers, query)
  const fields = {
    proof: logoutProof(call, session),
    client_id: client,
    post_logout_redirect_uri: redirect,
    state,
  }
  const hidden = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  const content = html`<h1>${say(language, 'signOutTitle')}</h1>
    <p class="lead">${say(language, 'signOutText')}</p>
    <form
      method="post"
      action="${realmPath(realm, '/protocol/openid-connect/logout/logout-confirm')}"
    >
      ${hidden}
      <button type="submit" autofocus>${say(language, 'signOut')}</button>
      <a class="button plain" href="${realm.origin}/">${say(language, 'stay')}</a>
    </form>`
  const body = page({ language, title: say(language, 'signOut'), content })
  return reply.headers(pageHeaders(realm.origin)).send(body)
}

function problem({ request, reply, realm, query }: Call, detail: string) {
  const language = languageOf(request.headers, query)
  return reply
    .code(400)
    .headers(pageHeaders(realm.origin))
    .send(problemPage(language, realm.origin, detail))
}
