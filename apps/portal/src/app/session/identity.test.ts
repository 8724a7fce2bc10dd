import type Keycloak from 'keycloak-js'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Identity } from './identity.ts'
import {
  enterOrganization,
  forgetSelection,
  freshToken,
  scopeNow,
  signIn,
  signInAgain,
  ticketExchange,
} from './identity.ts'

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('location', { origin: 'https://portal.example' })
  vi.useFakeTimers()
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})
const inTab = (key: string) => kept.get(`longreach.${key}`)

function identityOf(more: Partial<Keycloak> = {}, external = false) {
  const did: [string, unknown][] = []
  const keycloak = {
    authenticated: true,
    token: 'a-token',
    init: async (options: unknown) => did.push(['init', options]),
    login: async (options: unknown) => did.push(['login', options]),
    updateToken: async (least: number) => did.push(['update', least]),
    ...more,
  } as unknown as Keycloak // what identity calls of it
  const scopeFor = (resourceId: string) => (external ? undefined : `org:${resourceId} app:*`)
  const place = { url: 'https://portal.example/auth', realm: 'nordwerk', external, scopeFor }
  return { did, identity: { keycloak, realm: 'nordwerk', place } satisfies Identity }
}

test('who must sign in comes back to the page that was wanted', async () => {
  const { identity, did } = identityOf()
  expect(await signIn(identity, '/devices?q=oven', false)).toBe('/devices?q=oven')
  expect(did[0]).toEqual([
    'init',
    expect.objectContaining({
      onLoad: 'login-required',
      pkceMethod: 'S256',
      redirectUri: 'https://portal.example/',
    }),
  ])
})

test('who returns goes on where they wanted to go before they left', async () => {
  kept.set('longreach.deepLink', '/presets')
  const { identity } = identityOf()
  expect(await signIn(identity, '/', true)).toBe('/presets')
  expect(inTab('deepLink')).toBeUndefined()
  expect(await signIn(identity, '/x', true)).toBe('/')
})

test('who signs in elsewhere remembers for which realm', async () => {
  await signIn(identityOf({}, true).identity, '/', false)
  expect(inTab('leftFor')).toBe('nordwerk')
})

test('a token is asked for the organization that the tab has chosen, if any', async () => {
  expect(scopeNow(identityOf().identity.place)).toEqual({})
  const { identity, did } = identityOf()
  await enterOrganization(identity, 'nordwerk.service', '/devices')
  expect(scopeNow(identity.place)).toEqual({ scope: 'org:nordwerk.service app:*' })
  expect(inTab('deepLink')).toBe('/devices')
  expect(did).toEqual([
    ['login', { scope: 'org:nordwerk.service app:*', redirectUri: 'https://portal.example/' }],
  ])
  expect(scopeNow(identityOf({}, true).identity.place)).toEqual({})
})

test('a young sign-in is asked for with a password, and then back to the page', async () => {
  const { identity, did } = identityOf()
  await signInAgain(identity, '/account?tab=security')
  expect(did[0]?.[1]).toMatchObject({ prompt: 'login' })
  expect(inTab('deepLink')).toBe('/account?tab=security')
})

test('who signs out leaves nothing of the organization in the tab', () => {
  for (const key of ['scope', 'deepLink', 'castDeviceMessage', 'openedItems', 'realm'])
    kept.set(`longreach.${key}`, 'x')
  forgetSelection()
  expect([...kept.keys()]).toEqual(['longreach.realm'])
})

test('a token has half a minute to live, or is refreshed first', async () => {
  const { identity, did } = identityOf()
  expect(await freshToken(identity)).toBe('a-token')
  expect(did).toEqual([['update', 30]])
})

test('a refresh that fails for a moment leaves the token that is there', async () => {
  const { identity } = identityOf({ updateToken: () => Promise.reject(new Error('offline')) })
  expect(await freshToken(identity)).toBe('a-token')
})

test('while the session is over a token waits for who signs in again', async () => {
  const { identity } = identityOf({ authenticated: false, token: undefined! })
  const again = Promise.withResolvers<void>()
  const waiting = freshToken({ ...identity, signedIn: again.promise })
  identity.keycloak.token = 'new-token'
  again.resolve()
  expect(await waiting).toBe('new-token')
})

test('a ticket is exchanged at this origin, and a refusal of the token proves the session', async () => {
  const { identity, did } = identityOf()
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push([address, init.headers, String(init.body)])
    return new Response('', { status: 401 })
  })
  const exchange = ticketExchange(identity.keycloak, 'nord/werk')
  expect((await exchange(new URLSearchParams({ permission: 'x' }))).status).toBe(401)
  expect(asked).toEqual([
    [
      '/auth/realms/nord%2Fwerk/protocol/openid-connect/token',
      { authorization: 'Bearer a-token' },
      'permission=x',
    ],
  ])
  expect(did).toEqual([['update', -1]])
})

test('nobody exchanges a ticket without having signed in', async () => {
  const { identity } = identityOf({ authenticated: false })
  await expect(
    ticketExchange(identity.keycloak, 'nordwerk')(new URLSearchParams()),
  ).rejects.toThrow('are we logged in')
})
