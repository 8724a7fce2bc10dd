import { refusals } from '@longreach/kit/refusals'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientCredentials, clientGrant } from '../protocol/client-credentials.ts'
import { accountRoutes } from '../account/account-routes.ts'
import { discovery, realmFacts } from '../protocol/discovery.ts'
import { formLoginRoutes } from '../sign-in/form-login.ts'
import { showForgotten, takeForgotten } from '../links/forgotten-password.ts'
import { forgottenPath } from '../sign-in/forgotten-path.ts'
import type { RealmDeps } from '../identity-deps.ts'
import {
  impersonationPath,
  showImpersonation,
  takeImpersonation,
} from '../impersonation/impersonation.ts'
import { showLogin, takeLogin } from '../sign-in/login.ts'
import { confirmLogout, logout, signedOut } from '../protocol/logout.ts'
import { isWebOrigin } from '../clients/oauth-clients.ts'
import { showLinkPage, takeLink } from '../links/link-page.ts'
import { pageStyle } from '../pages/page-style.ts'
import { passkeyScript, passkeyScriptName } from '../factors/passkey-script.ts'
import { permissionTicket, renewTicket, ticketGrant } from '../protocol/permission-ticket.ts'
import { answerByProvider } from '../realms/provider-request.ts'
import type { Call } from '../realms/realm-call.ts'
import type { Realms } from '../realms/realm.ts'
import { withStandardScopes } from '../tokens/scope-rules.ts'
import {
  cookieStep1,
  cookieStep2,
  frameScript,
  statusFrame,
  statusInit,
} from '../protocol/session-frames.ts'
import { userinfo } from '../protocol/userinfo.ts'
import { isTicketRefreshToken } from '../protocol/ticket-renewal.ts'

type Answer = (call: Call) => unknown

const largestForm = 64 * 1024
/** Longest address in characters; the server refuses longer ones itself. */
const longestAddress = 8_000
const protocol = '/protocol/openid-connect'

/** Keycloak's paths of every realm, and what their pages need. */
export function identityRoutes(app: FastifyInstance, deps: RealmDeps, realms: Realms) {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    (_, body, done) => done(null, body),
  )
  app.addHook('onRequest', oneCredential)
  const refused = refusals(deps.db, (error) => deps.log.warn(error, 'no trail of a refusal'))
  app.addHook('onClose', () => refused.close())
  const route: Route = (method, path, answer) =>
    app.route({
      method,
      url: `/auth/realms/:realm${path}`,
      handler: async (request, reply) => {
        const { realm: name } = request.params as { realm: string }
        const realm = await realms.find(name)
        if (!realm) return reply.code(404).send({ error: 'Realm does not exist' })
        allowOrigin(request, reply, realm.origins)
        const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
        const query = request.query as Record<string, unknown>
        const field = (key: string) => form.get(key) ?? undefined
        return answer({ deps, realm, request, reply, refused, query, field, form })
      },
    })
  protocolRoutes(route)
  pageRoutes(route)
  formLoginRoutes(app, { deps, realms, refused })
  accountRoutes(route)
  preflights(app, realms)
  resources(app)
}

/** Refusal of requests with two Authorization headers, since the caller would depend on their order. */
async function oneCredential({ raw }: FastifyRequest, reply: FastifyReply) {
  const given = raw.rawHeaders.filter(
    (name, place) => place % 2 === 0 && name.toLowerCase() === 'authorization',
  )
  if (given.length < 2) return undefined
  const description = 'Send one Authorization header'
  return reply.code(400).send({ error: 'invalid_request', error_description: description })
}

type Route = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, answer: Answer) => void

function protocolRoutes(route: Route) {
  route('GET', '', realmFacts)
  route('GET', '/.well-known/openid-configuration', discovery)
  route('GET', `${protocol}/certs`, (call) => answerByProvider(call, `${protocol}/certs`))
  route('GET', `${protocol}/auth`, authorize)
  route('POST', `${protocol}/auth`, authorizeByForm)
  route('GET', `${protocol}/auth/:uid`, (call) => {
    const { uid } = call.request.params as { uid: string }
    return answerByProvider(call, `${protocol}/auth/${encodeURIComponent(uid)}`)
  })
  route('POST', `${protocol}/token`, token)
  route('GET', `${protocol}/userinfo`, userinfo)
  route('POST', `${protocol}/userinfo`, userinfo)
  route('GET', `${protocol}/login-status-iframe.html`, statusFrame)
  route('GET', `${protocol}/login-status-iframe.html/init`, statusInit)
  route('GET', `${protocol}/3p-cookies/step1.html`, cookieStep1)
  route('GET', `${protocol}/3p-cookies/step2.html`, cookieStep2)
}

function pageRoutes(route: Route) {
  route('GET', '/login-actions/authenticate/:uid', showLogin)
  route('POST', '/login-actions/authenticate/:uid', takeLogin)
  route('GET', `${impersonationPath}/:token`, showImpersonation)
  route('POST', `${impersonationPath}/:token`, takeImpersonation)
  route('GET', '/login-actions/action-token/:token', showLinkPage)
  route('POST', '/login-actions/action-token/:token', takeLink)
  route('GET', forgottenPath, showForgotten)
  route('POST', forgottenPath, takeForgotten)
  route('GET', `${protocol}/logout`, logout)
  route('POST', `${protocol}/logout`, logout)
  route('GET', `${protocol}/logout/logout-confirm`, signedOut)
  route('POST', `${protocol}/logout/logout-confirm`, confirmLogout)
}

/** Authorization request, with the scopes that Keycloak adds by default. */
function authorize(call: Call) {
  const [, search = ''] = call.request.url.split('?')
  const query = new URLSearchParams(search)
  const scopes = query.getAll('scope')
  if (scopes.length < 2) query.set('scope', withStandardScopes(scopes[0] ?? ''))
  return answerByProvider(call, `${protocol}/auth?${query}`)
}

/**
 * Authorization request by POST, redirected to GET: browsers send the session cookie with a GET, and not
 * with forms of other sites.
 */
function authorizeByForm({ realm, reply, form }: Call) {
  const address = `${realm.issuer}${protocol}/auth?${form.toString()}`
  reply.header('cache-control', 'no-store')
  if (address.length <= longestAddress) return reply.redirect(address, 303)
  const description = `The form is too long: with it the address has over ${longestAddress} characters`
  return reply.code(400).send({ error: 'invalid_request', error_description: description })
}

/**
 * Token endpoint: permission tickets and client credentials are answered here, codes and refresh tokens
 * by the provider.
 */
function token(call: Call) {
  const { form, request } = call
  if (form.get('grant_type') === ticketGrant) return permissionTicket(call)
  if (
    form.get('grant_type') === 'refresh_token' &&
    isTicketRefreshToken(form.get('refresh_token'))
  ) {
    return renewTicket(call)
  }
  if (form.get('grant_type') === clientGrant) return clientCredentials(call)
  const body = typeof request.body === 'string' ? request.body : ''
  return answerByProvider(call, `${protocol}/token`, body)
}

/** CORS headers: scripts of the portal’s origins may read answers, with cookies; others may not. */
function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]) {
  reply.header('vary', 'Origin')
  const { origin: from } = request.headers
  if (from === undefined || !isWebOrigin(from, origins)) {
    // An empty list stops the provider from allowing every origin.
    reply.header('access-control-expose-headers', '')
    return
  }
  reply.header('access-control-allow-origin', from)
  reply.header('access-control-allow-credentials', 'true')
  reply.header('access-control-expose-headers', 'WWW-Authenticate')
}

function preflights(app: FastifyInstance, realms: Realms) {
  app.options('/auth/realms/:realm/*', async (request, reply) => {
    const { realm: name } = request.params as { realm: string }
    allowOrigin(request, reply, (await realms.find(name))?.origins ?? [])
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      reply.header('access-control-allow-headers', 'Authorization, Content-Type, X-Requested-With')
      reply.header('access-control-max-age', '3600')
    }
    return reply.code(204).send()
  })
}

function resources(app: FastifyInstance) {
  app.get('/auth/resources/page.css', (_, reply) =>
    reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(pageStyle),
  )
  app.get('/auth/resources/:script', (request, reply) => {
    const { script: name } = request.params as { script: string }
    const script = name === passkeyScriptName ? passkeyScript : frameScript(name)
    if (script === undefined) return reply.callNotFound()
    return reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('x-content-type-options', 'nosniff')
      .send(script)
  })
}
