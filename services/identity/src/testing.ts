import { createHash, randomBytes } from 'node:crypto'
import { coreContract } from '@longreach/core/contract'
import { publish } from '@longreach/kit/events'
import type { AnyService } from '@longreach/kit/service'
import { serviceOf, testServer } from '@longreach/kit/testing'
import { identityContract } from './contract.ts'
import { identity } from './service.ts'

type Membership = {
  id: number
  resourceId: string
  name: string
  scopes: string[]
  secondFactorRequired?: boolean
  /** Names of the roles in the organization. */
  roles?: string[]
}

/** Core for tests: a table of memberships and their scopes. */
const coreOf = (people: Map<string, Membership[]>) => {
  const { memberships, ticketPermissions, personLanguage, realmHosts } = coreContract.endpoints
  const contract = {
    ...coreContract,
    endpoints: { memberships, ticketPermissions, personLanguage, realmHosts },
  }
  return serviceOf<object>()({
    contract,
    migrations: new URL('.', import.meta.url),
    handlers: () => ({
      memberships: async ({ query: { sub } }) => people.get(sub) ?? [],
      personLanguage: async () => ({}),
      realmHosts: async ({ query: { realm } }) => [realm],
      ticketPermissions: async ({ body: { sub, organizations, strong } }) =>
        (people.get(sub) ?? [])
          .filter(({ resourceId }) => organizations.includes(resourceId))
          .filter((one) => strong || !one.secondFactorRequired)
          .map(({ id, resourceId, scopes, roles }) => {
            return { rsid: String(id), rsname: resourceId, scopes, roles }
          }),
    }),
  })
}

type Addressed = Pick<IdentityTest, 'origin' | 'at'>
export type IdentityTest = Awaited<ReturnType<typeof identityTest>>

/** Test server with identity (and `more`) on a port of its own, and a clock that tests can set ahead. */
export async function identityTest(...more: AnyService[]) {
  const people = new Map<string, Membership[]>()
  const clock = { aheadMs: 0 }
  const server = await testServer([coreOf(people), identity, ...more], {
    now: () => new Date(Date.now() + clock.aheadMs),
  })
  const origin = (await server.app.listen({ port: 0, host: '127.0.0.1' })).replace(
    '127.0.0.1',
    'localhost',
  )
  server.site.origin = origin
  const calls = server.asService(identityContract)
  return {
    ...server,
    origin,
    clock,
    people,
    calls,
    at: (realm: string, path: string) =>
      `${origin}/auth/realms/${realm}/protocol/openid-connect/${path}`,
    /** Replace the memberships of a person, with the event that core publishes for it. */
    async belongs(sub: string, memberships: Membership[]) {
      people.set(sub, memberships)
      const event = coreContract.events.permissionsChanged
      await publish(server.database.db, event, { resourceId: 'nordwerk' })
    },
    async person(realm: string, username: string, memberships: Membership[] = []) {
      await calls.createRealm({ body: { name: realm, label: realm } })
      const account = await calls.createAccount({
        body: { realm, username, password: goodPassword },
      })
      people.set(account.sub, memberships)
      return account
    },
  }
}

export const goodPassword = 'lake-anvil-violet-7'

/** Browser without scripts: it keeps cookies by path and follows no redirect. */
export function testBrowser() {
  const cookies = new Map<string, { value: string; path: string }>()
  const keep = (header: string) => {
    const [pair = '', ...attributes] = header.split(';').map((one) => one.trim())
    const [name = '', value = ''] = [
      pair.slice(0, pair.indexOf('=')),
      pair.slice(pair.indexOf('=') + 1),
    ]
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
    if (/expires=Thu, 01 Jan 1970/i.test(header)) cookies.delete(`${name} ${path}`)
    else cookies.set(`${name} ${path}`, { value, path })
  }
  const go = async (url: string, init: RequestInit = {}) => {
    const { pathname } = new URL(url)
    const sent = [...cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')
    const headers = { ...(sent !== '' && { cookie: sent }), ...(init.headers as object) }
    const answer = await fetch(url, { redirect: 'manual', ...init, headers })
    answer.headers.getSetCookie().forEach(keep)
    return answer
  }
  const post = (
    url: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) => go(url, { method: 'POST', body: new URLSearchParams(fields), headers })
  return { go, post, cookies }
}
export type TestBrowser = ReturnType<typeof testBrowser>

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >

type Ask = Record<string, string | undefined>

/** Authorization request as keycloak-js sends it, with `changes`; undefined ones are left out. */
export function authorizeUrl(test: Addressed, realm: string, changes: Ask = {}) {
  const ask: Ask = {
    client_id: 'portal',
    redirect_uri: `${test.origin}/`,
    response_mode: 'fragment',
    response_type: 'code',
    scope: 'openid',
    state: 'some-state',
    nonce: 'some-nonce',
    code_challenge_method: 'S256',
    ...changes,
  }
  const given = Object.entries(ask).filter((one): one is [string, string] => one[1] !== undefined)
  return `${test.at(realm, 'auth')}?${new URLSearchParams(given)}`
}

export const locationOf = (answer: Response) => answer.headers.get('location') ?? ''
export const fragmentOf = (address: string) => new URLSearchParams(address.split('#')[1] ?? '')

type Login = { realm: string; username: string; password?: string; changes?: Ask }

/** Sign in up to the redirect to the client, and answer its `Location`. */
export async function signInTo(
  test: Addressed,
  browser: TestBrowser,
  { realm, username, password = goodPassword, changes = {} }: Login,
) {
  const asked = await browser.go(authorizeUrl(test, realm, changes))
  const page = locationOf(asked)
  const shown = await browser.go(page)
  if (shown.status !== 200) throw new Error(`login page: ${shown.status} ${await shown.text()}`)
  const sent = await browser.post(page, { username, password })
  if (sent.status !== 303) return { status: sent.status, location: '', body: await sent.text() }
  const back = await browser.go(locationOf(sent))
  return { status: back.status, location: locationOf(back), body: await back.text() }
}

export type Tokens = {
  access_token: string
  refresh_token: string
  id_token: string
  expires_in: number
  scope: string
  token_type: string
}

/** Sign in and redeem the code: the tokens, and the fragment of the response. */
export async function tokensFor(
  test: Addressed,
  browser: TestBrowser,
  { realm, username, password = goodPassword, changes = {} }: Login,
) {
  const { verifier, challenge } = pkce()
  const { location, body } = await signInTo(test, browser, {
    realm,
    username,
    password,
    changes: { code_challenge: challenge, ...changes },
  })
  const fragment = fragmentOf(location)
  const redeem = () =>
    redeemCode(test, realm, {
      code: fragment.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: changes['redirect_uri'] ?? `${test.origin}/`,
      client_id: changes['client_id'] ?? 'portal',
    })
  const answer = await redeem()
  if (answer.status !== 200) {
    throw new Error(`token: ${answer.status} ${await answer.text()} ${location} ${body}`)
  }
  return { ...((await answer.json()) as Tokens), fragment, redeem, location }
}

export const redeemCode = (test: Addressed, realm: string, fields: Record<string, string>) =>
  fetch(test.at(realm, 'token'), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', ...fields }),
  })

export const refresh = (test: Addressed, realm: string, fields: Record<string, string>) =>
  fetch(test.at(realm, 'token'), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'portal', ...fields }),
  })

/**
 * Repeat an authorization request in a signed-in browser: the fragment of the response, and the tokens
 * if it has a code.
 */
export async function askAgain(
  test: Addressed,
  browser: TestBrowser,
  realm: string,
  changes: Ask = {},
) {
  const { verifier, challenge } = pkce()
  const asked = await browser.go(
    authorizeUrl(test, realm, { code_challenge: challenge, ...changes }),
  )
  const fragment = fragmentOf(locationOf(asked))
  const code = fragment.get('code')
  if (code === null) return { fragment, location: locationOf(asked), status: asked.status }
  const answer = await redeemCode(test, realm, {
    code,
    code_verifier: verifier,
    redirect_uri: changes['redirect_uri'] ?? `${test.origin}/`,
    client_id: changes['client_id'] ?? 'portal',
  })
  const tokens = (await answer.json()) as Tokens
  return { fragment, location: locationOf(asked), status: asked.status, tokens }
}
