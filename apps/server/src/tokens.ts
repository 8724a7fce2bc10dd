import { hash } from 'node:crypto'
import { apiKeyPrefix } from '@longreach/kit/credential'
import { createRecentValues } from '@longreach/kit/recent-values'
import type { Secrets } from '@longreach/kit/secrets'
import type { Caller, Site } from '@longreach/kit/service'
import {
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'

const houseIssuer = 'longreach:house'
/** Required claims: access tokens and permission tickets must be issued for the platform. */
const always = {
  audience: ['corvina-platform', 'platform'],
  algorithms: ['RS256'],
  clockTolerance: 5,
  requiredClaims: ['exp', 'iat', 'sub'],
  // It also refuses tokens issued in the future.
  maxTokenAge: '12h',
}
/** Longest lifetime that a realm issues (24 h); a token that claims more is refused. */
const longestLifeS = 86_400
const keysLiveMs = 300_000
const keysRetryMs = 5_000
const remembered = 20_000

type Claims = JWTPayload & {
  typ?: string
  kind?: 'user' | 'service'
  realm?: string
  scope?: string
  sid?: string
  preferred_username?: string
  azp?: string
  /** `2`: a second factor was used in the session. */
  acr?: string
  /** Administrator who impersonates this person. */
  impersonator?: { sub: string; username: string }
}

/** Person; `username` is the name in the realm. */
export type PersonOfRealm = { sub: string; realm: string; username: string }

/**
 * Tokens that the server signs for itself: for services, and to act as a person at the first start.
 */
export function createServerTokens(secrets: Secrets) {
  const key = secrets.derive('house-token')
  const sign = (claims: Claims, sub: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(houseIssuer)
      .setSubject(sub)
      .sign(key)
  return {
    ofService: (name: string) => sign({ kind: 'service' }, name),
    ofPerson: ({ sub, realm, username }: PersonOfRealm) =>
      sign({ kind: 'user', realm, preferred_username: `${username}@${realm}` }, sub),
  }
}

type Options = {
  secrets: Secrets
  site: Site
  fetch: typeof globalThis.fetch
  /** True when this identity session has ended, by sign-out or otherwise. */
  hasEnded?: (session: string) => boolean
  /** Look-up of the bearer of an API key. */
  apiKeys?: (key: string, ip: string | undefined) => Promise<Caller | undefined>
  /** Keycloak, if accounts are there. */
  keycloak?: KeycloakIssuers | undefined
  now?: () => number
}

type KeycloakIssuers = { url: string; realms: ReadonlyMap<string, string> }

/**
 * Verifier of bearer tokens: returns the caller, or undefined. Access tokens are checked with the
 * keys of the realm that issued them; a valid one is cached until it expires.
 */
export function tokenVerifier({
  secrets,
  site,
  fetch,
  hasEnded = () => false,
  apiKeys = () => Promise.resolve(undefined),
  keycloak,
  now = Date.now,
}: Options) {
  const houseKey = secrets.derive('house-token')
  const known = createRecentValues<string, { caller: Caller; until: number }>(remembered)
  const keysOf = realmKeys(fetch, now)

  const alive = (caller: Caller) =>
    caller.session !== undefined && hasEnded(caller.session) ? undefined : caller

  const verify = async (token: string): Promise<{ caller: Caller; until: number } | undefined> => {
    const { iss } = decodeJwt(token)
    if (iss === houseIssuer) {
      const { payload } = await jwtVerify<Claims>(token, houseKey, { algorithms: ['HS256'] })
      return { caller: houseCaller(payload), until: Number.POSITIVE_INFINITY }
    }
    const own = realmOf(iss, `${site.origin}/auth/realms/`)
    const theirs = keycloak && own === undefined ? ofKeycloak(iss, keycloak) : undefined
    const realm = own ?? theirs
    if (realm === undefined || iss === undefined) return undefined
    const path = '/protocol/openid-connect/certs'
    const certs = own === undefined ? iss + path : `/auth/realms/${own}${path}`
    const checks = { ...always, issuer: iss }
    const { payload } = await jwtVerify<Claims>(token, await keysOf(certs, token), checks)
    if (!isAccess(payload)) return undefined
    return { caller: personOf(payload, realm), until: (payload.exp ?? 0) * 1000 }
  }

  return async (token: string, ip?: string): Promise<Caller | undefined> => {
    if (token.startsWith(apiKeyPrefix)) return apiKeys(token, ip)
    const id = hash('sha256', token, 'base64url')
    const hit = known.get(id)
    if (hit && hit.until > now()) return alive(hit.caller)
    known.delete(id)
    // The reason does not matter: an invalid token means no caller, and the call answers 401.
    const fresh = await verify(token).catch(() => undefined)
    if (!fresh) return undefined
    known.set(id, fresh)
    return alive(fresh.caller)
  }
}

const isAccess = ({ typ, sub, exp = 0, iat = 0 }: Claims) =>
  typ === 'Bearer' && sub !== undefined && exp - iat <= longestLifeS

const houseCaller = ({ sub = '', kind, realm = '', preferred_username }: Claims): Caller => ({
  kind: kind === 'service' ? 'service' : 'user',
  sub,
  username: preferred_username ?? sub,
  realm,
})

function personOf(
  {
    sub = '',
    scope = '',
    sid,
    preferred_username: username = '',
    acr,
    azp = '',
    impersonator,
  }: Claims,
  realm: string,
): Caller {
  const wished = scope.split(' ').filter((one) => one.startsWith('org:') && one !== 'org:*')
  const [first, ...more] = wished
  const org = first !== undefined && more.length === 0 ? first.slice(4) : undefined
  return {
    kind: 'user',
    sub,
    username,
    realm,
    ...(org !== undefined && { org }),
    ...(sid !== undefined && { session: sid }),
    ...(acr === '2' && { secondFactor: true }),
    ...(azp.startsWith('user-service-') && { serviceAccount: true }),
    ...(impersonator !== undefined && { impersonator }),
  }
}

function realmOf(issuer: string | undefined, start: string) {
  const realm = issuer?.startsWith(start) ? issuer.slice(start.length) : ''
  // Realm `master` has only machine administration, so its tokens are not accepted here.
  return /^(?!master$)[a-z0-9][\w.-]*$/i.test(realm) ? realm : undefined
}

/** Name here of the Keycloak realm that issued a token. */
function ofKeycloak(issuer: string | undefined, { url, realms }: KeycloakIssuers) {
  const theirs = realmOf(issuer, `${url}/realms/`)
  if (theirs === undefined) return undefined
  const renamed = [...realms].find(([, name]) => name === theirs)?.[0]
  // A realm with another name in Keycloak is accepted only under that name.
  return renamed ?? (realms.has(theirs) ? undefined : theirs)
}

/** Keys of a realm, reloaded when they are old or a token names an unknown one. */
function realmKeys(fetch: typeof globalThis.fetch, now: () => number) {
  const kept = new Map<
    string,
    { at: number; kids: Set<string>; keys: ReturnType<typeof createLocalJWKSet> }
  >()
  return async (certs: string, token: string) => {
    const held = kept.get(certs)
    const age = held ? now() - held.at : Number.POSITIVE_INFINITY
    if (held && age < keysLiveMs && (held.kids.has(kidOf(token)) || age < keysRetryMs))
      return held.keys
    const response = await (certs.startsWith('/') ? fetch : globalThis.fetch)(certs)
    if (!response.ok) throw new Error(`no keys at ${certs}`)
    const set = (await response.json()) as JSONWebKeySet
    const kids = new Set(set.keys.map(({ kid }) => kid ?? ''))
    const fresh = { at: now(), kids, keys: createLocalJWKSet(set) }
    kept.set(certs, fresh)
    return fresh.keys
  }
}

function kidOf(token: string) {
  const [header = ''] = token.split('.')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown }
  return typeof kid === 'string' ? kid : ''
}
