import { type Context, type Grant, Provider } from 'oidc-provider'
import { accountBySub, type StoredAccount } from '../accounts/account-store.ts'
import { errorPage } from '../pages/error-page.ts'
import type { RealmDeps } from '../identity-deps.ts'
import type { RealmKey } from '../realms/key-store.ts'
import { needsProofKey, oauthClients } from '../clients/oauth-clients.ts'
import { protectFormPost } from './form-post-page.ts'
import { providerAdapter, currentRefresh } from './provider-adapter.ts'
import { overrideProvider } from './provider-overrides.ts'
import {
  availableScopes,
  emptyScopes,
  inWireOrder,
  standardScopes,
  platformAudience,
} from '../tokens/scope-rules.ts'
import {
  epochS,
  impersonated,
  sessionIdleS,
  sessionLongestS,
  sessionTtlS,
} from '../sessions/session-store.ts'
import { sessionStateCookie, sessionStateOf } from '../sessions/session-state.ts'
import { sessionFacts } from '../sessions/session-facts.ts'
import { actionAnswer, extraParams, signInPolicy } from '../sign-in/sign-in-policy.ts'
import { roleClaims, withoutRoles } from '../tokens/role-claims.ts'
import { actorClaims, inScope, permissionsFor, personClaims } from '../tokens/token-claims.ts'
import { organizationsFor, permissionsAskedIn } from './token-organizations.ts'

export const accessTokenTtlS = 300
const resource = 'urn:longreach:platform'
type Options = {
  realm: string
  issuer: string
  origin: string
  origins: readonly string[]
  keys: readonly RealmKey[]
}

/** The OpenID provider of one realm. */
export function createProvider(deps: RealmDeps, options: Options) {
  const { realm, issuer, origins } = options
  const provider = new Provider(issuer, configuration(deps, options))
  // Host and protocol are pinned to the issuer before each call; the protocol is passed in this header.
  provider.proxy = true
  overrideProvider(provider, deps, { realm, origins })
  const failed = (_: unknown, error?: unknown) =>
    deps.log.error({ realm, error }, 'identity failed')
  provider.on('server_error', failed)
  provider.on('error', (error: unknown) => failed(undefined, error))
  provider.on('authorization.success', answerLikeKeycloak)
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Koa, which awaits its middleware
  provider.use(sessionFacts(deps.db, realm))
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Koa, which awaits its middleware
  provider.use(keepFragment)
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Koa, which awaits its middleware
  provider.use(protectFormPost)
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Koa, which awaits its middleware
  provider.use(deleteGuessedCode)
  return provider
}

const cookie = { signed: true, httpOnly: true, sameSite: 'lax', overwrite: true } as const

/** Options of the session cookie; its path keeps realms apart. */
export const sessionCookie = (issuer: string) => ({
  ...cookie,
  path: `${new URL(issuer).pathname}/`,
})

function configuration(deps: RealmDeps, { realm, issuer, origin, keys }: Options) {
  return {
    adapter: providerAdapter(deps.db, deps.pool, realm),
    clients: oauthClients(origin),
    jwks: { keys: keys.map(({ jwk }) => jwk) },
    cookies: {
      keys: [deps.secrets.derive(`identity/cookie/${realm}`).toString('base64url')],
      long: sessionCookie(issuer),
      short: cookie,
    },
    routes: {
      authorization: '/protocol/openid-connect/auth',
      token: '/protocol/openid-connect/token',
      jwks: '/protocol/openid-connect/certs',
    },
    scopes: [...standardScopes, ...emptyScopes],
    claims: {
      openid: ['sub', 'acr', 'amr'],
      profile: ['preferred_username', 'name', 'given_name', 'family_name'],
      email: ['email', 'email_verified'],
    },
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    extraParams,
    acrValues: ['1', '2'],
    clientAuthMethods: ['none'],
    pkce: {
      required: ({ oidc }: Context, { clientId }: { clientId: string }) =>
        needsProofKey(clientId, oidc.params?.['redirect_uri']),
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => true,
    ttl: lifetimes,
    interactions: {
      policy: signInPolicy(deps),
      url: (_: Context, { uid }: { uid: string }) => `${issuer}/login-actions/authenticate/${uid}`,
    },
    features: {
      devInteractions: { enabled: false },
      // This service answers at its address; the feature lets requests name claims for it.
      userinfo: { enabled: true },
      rpInitiatedLogout: { enabled: false },
      claimsParameter: { enabled: true },
      resourceIndicators: resourceServer(deps),
    },
    formats: { customizers: { jwt: accessClaims(deps, origin) } },
    findAccount: async (_: Context, sub: string) => {
      const read = currentRefresh()?.account
      const account = read?.sub === sub ? read : await accountBySub(deps.db, sub)
      if (!account?.enabled || account.realm !== realm) return undefined
      const found: Found = { accountId: sub, claims: () => personClaims(account), stored: account }
      return found
    },
    loadExistingGrant,
    renderError: (ctx: Context, out: { error: string; error_description?: string }) =>
      errorPage(ctx, out, origin),
  }
}

type Aging = { authTime?: number; amr?: string[] }
const leftOfSession = ({ authTime, amr }: Aging) => sessionTtlS(authTime, amr)

const lifetimes = {
  AccessToken: accessTokenTtlS,
  AuthorizationCode: 60,
  IdToken: accessTokenTtlS,
  Interaction: 30 * 60,
  Grant: sessionLongestS + sessionIdleS,
  RefreshToken: (_: Context, token: Aging) => leftOfSession(token),
  Session: (_: Context, { loginTs, amr }: { loginTs?: number; amr?: string[] }) =>
    sessionTtlS(loginTs, amr),
}

/** Access tokens are JWTs for the platform; which organizations they may name is looked up each time. */
const resourceServer = ({ rights }: RealmDeps) => ({
  enabled: true,
  defaultResource: () => resource,
  useGrantedResource: () => true,
  getResourceServerInfo: async (ctx: Context) => ({
    scope: availableScopes(await organizationsFor(rights, ctx)).join(' '),
    audience: platformAudience,
    accessTokenTTL: accessTokenTtlS,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  }),
})

/** Account as the provider passes it on within one request. */
type Found = {
  accountId: string
  claims: () => ReturnType<typeof personClaims>
  stored: StoredAccount
}

type AccessToken = { accountId: string; clientId: string; sid?: string; scope?: string }

/** Claims of an access token that clients of Keycloak read. */
const accessClaims =
  ({ db, rights }: RealmDeps, origin: string) =>
  async (ctx: Context, token: AccessToken, jwt: { payload: Record<string, unknown> }) => {
    const { oidc } = ctx
    const { accountId, clientId, sid, scope = '' } = token
    const known = oidc.entities.Account as Partial<Found> | undefined // as `findAccount` made it
    const account = known?.stored ?? (await accountBySub(db, accountId))
    const { amr, acr } = oidc.entities.RefreshToken ?? oidc.entities.AuthorizationCode ?? {}
    const holder = { sub: accountId, scope, strong: acr === '2' }
    const asked = permissionsAskedIn(ctx)
    const permissions = asked ? inScope(asked, scope) : await permissionsFor(rights, holder)
    const actor = sid !== undefined && amr?.includes(impersonated) && (await actorClaims(db, sid))
    Object.assign(jwt.payload, {
      typ: 'Bearer',
      scope: inWireOrder(scope),
      azp: clientId,
      sid,
      session_state: sid,
      acr,
      amr,
      'allowed-origins': [origin],
      ...roleClaims(permissions),
      ...(account && personClaims(account)),
      ...actor,
      ...(permissions && { authorization: { permissions: withoutRoles(permissions) } }),
    })
  }

/**
 * Grant of a session and client, extended by the scopes of this request. A new grant at each sign-in
 * would invalidate the refresh tokens of other tabs, which belong to the current grant of the session.
 */
async function loadExistingGrant({ oidc }: Context): Promise<Grant> {
  const accountId = oidc.account?.accountId ?? ''
  const { clientId } = oidc.client
  const provider = (oidc as unknown as { provider: Provider }).provider
  const id = oidc.session?.grantIdFor(clientId)
  const found = id === undefined ? undefined : await provider.Grant.find(id)
  const grant = found?.accountId === accountId ? found : new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(standardScopes.join(' '))
  grant.addOIDCClaims([...oidc.requestParamClaims])
  for (const [name, { scopes }] of Object.entries(oidc.resourceServers)) {
    const granted = [...oidc.requestParamScopes].filter((scope) => scopes.has(scope))
    if (granted.length > 0) grant.addResourceScope(name, granted.join(' '))
  }
  if (grant.exp !== undefined) grant.exp = epochS() + lifetimes.Grant
  await grant.save()
  return grant
}

type Part = 'code' | 'state' | 'session_state' | 'iss' | 'kc_action_status' | 'kc_action'
type Answer = Partial<Record<Part, string>>

/**
 * Parameters of the authorization response in Keycloak’s order: an existing client parses the whole
 * address as a query and does not find `code` in the first place. The cookie of the session-check frame
 * is set with it.
 */
function answerLikeKeycloak(ctx: Context, answer: Answer) {
  const { code, state, iss } = answer
  const sid = ctx.oidc.session?.uid
  for (const name of Object.keys(answer) as (keyof Answer)[]) delete answer[name]
  const action = actionAnswer(ctx)
  const first = { ...(state !== undefined && { state }), session_state: sid }
  Object.assign(answer, { ...first, ...action, iss, code })
  if (sid === undefined) return
  const path = `${new URL((ctx.oidc as unknown as { issuer: string }).issuer).pathname}/`
  const options = {
    signed: false,
    httpOnly: false,
    sameSite: 'lax',
    overwrite: true,
    path,
  } as const
  ctx.cookies.set(sessionStateCookie, sessionStateOf(sid), options)
}

/** A fragment of the redirect address stays before the response in the fragment, as in Keycloak. */
async function keepFragment(ctx: Context, next: () => Promise<void>) {
  await next()
  // A repeated parameter is an array, which the provider may have refused later.
  const address: unknown = ctx.oidc?.params?.['redirect_uri']
  const [askedBase, asked = ''] = typeof address === 'string' ? address.split('#') : []
  const [base, answer] = (ctx.response.get('location') ?? '').split('#')
  if (asked !== '' && answer !== undefined && base === askedBase) {
    ctx.set('location', `${base}#${asked}&${answer}`)
  }
}

/** Delete a code that was redeemed with a wrong verifier or address, so that it cannot be tried again. */
async function deleteGuessedCode(ctx: Context, next: () => Promise<void>) {
  await next()
  const { params, client } = ctx.oidc ?? {}
  if (ctx.status !== 400 || params?.['grant_type'] !== 'authorization_code') return
  const provider = (ctx.oidc as unknown as { provider: Provider }).provider
  const code = await provider.AuthorizationCode.find(params['code'] ?? '')
  if (!code || code.consumed || code.clientId !== client?.clientId) return
  await code.destroy()
}
