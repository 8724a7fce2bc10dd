import { isClient, isWebOrigin } from '../clients/oauth-clients.ts'
import { sessionStateCookie } from '../sessions/session-state.ts'
import { realmPath, type Call, text } from '../realms/realm-call.ts'

/**
 * Script of the frame with which `keycloak-js` asks if the session changed. Scripts of frames are files,
 * so that the pages need no inline script.
 */
const statusScript = `'use strict'
let allowed
// Only a refusal is an error: it ends the session. A server that is away has said nothing of it.
const init = async (client, origin) => {
  const query = new URLSearchParams({ client_id: client, origin })
  const way = location.pathname.replace(/\\/$/, '') + '/init?' + query
  const answer = await fetch(way).catch(() => undefined)
  if (answer?.ok) return 'ok'
  return answer?.status === 403 ? 'error' : 'not known'
}
const cookie = () => {
  const found = document.cookie.split('; ').find((one) => one.startsWith('${sessionStateCookie}='))
  return found ? found.slice('${sessionStateCookie}='.length) : ''
}
const hash = async (text) => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
const check = async (client, session, origin) => {
  if (!allowed || allowed.client !== client || allowed.origin !== origin) {
    const told = await init(client, origin)
    if (told === 'error') return 'error'
    // Asked again with the next message.
    if (told === 'ok') allowed = { client, origin }
  }
  const state = cookie()
  if (session === '') return state === '' ? 'unchanged' : 'changed'
  return state !== '' && state === (await hash(session)) ? 'unchanged' : 'changed'
}
addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data !== 'string') return
  const blank = event.data.indexOf(' ')
  const [client, session] = [event.data.slice(0, blank), event.data.slice(blank + 1).trim()]
  check(client, session, event.origin)
    .catch(() => 'error')
    .then((answer) => event.source.postMessage(answer, event.origin))
})
`

const answerScript = (answer: string) => `parent.postMessage('${answer}', '*')\n`

const testCookie = 'KEYCLOAK_3P_COOKIE'

const scripts = new Map([
  ['login-status.js', statusScript],
  ['cookies-supported.js', answerScript('supported')],
  ['cookies-unsupported.js', answerScript('unsupported')],
])

/** Script of a frame by its file name; undefined for other names. */
export const frameScript = (name: string) => scripts.get(name)

const frame = (script: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Session</title><script src="/auth/resources/${script}"></script></head><body></body></html>`

const headers = (origins: readonly string[]) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'self' ${origins.join(' ')}; base-uri 'none'`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})

export const statusFrame = ({ reply, realm }: Call) =>
  reply.headers(headers(realm.origins)).send(frame('login-status.js'))

/** Permission for a page of this origin to ask about the session for this client: 204 or 403. */
export function statusInit({ reply, realm, query }: Call) {
  const allowed =
    isClient(text(query['client_id'])) && isWebOrigin(text(query['origin']) ?? '', realm.origins)
  return reply
    .code(allowed ? 204 : 403)
    .header('cache-control', 'no-store')
    .send()
}

/** First step of the test for third-party cookies: it sets a cookie, and the second step reads it. */
export const cookieStep1 = ({ reply, realm }: Call) =>
  reply
    .header(
      'set-cookie',
      `${testCookie}=supported; path=${realmPath(realm, '/')}; SameSite=Lax; Max-Age=60`,
    )
    .header('cache-control', 'no-store')
    .redirect(realmPath(realm, '/protocol/openid-connect/3p-cookies/step2.html'), 302)

export function cookieStep2({ request, reply, realm }: Call) {
  const came = (request.headers.cookie ?? '').includes(`${testCookie}=supported`)
  const script = came ? 'cookies-supported.js' : 'cookies-unsupported.js'
  return reply.headers(headers(realm.origins)).send(frame(script))
}
