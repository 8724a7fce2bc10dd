import type Keycloak from 'keycloak-js'
import { afterEach, expect, test } from 'vitest'
import type { Identity } from './identity.ts'
import { signOut } from './identity.ts'
import { keepSession } from './keep-session.ts'

const { fetch: before } = globalThis
afterEach(() => {
  globalThis.fetch = before
})

/** Identity's answers at the outer edge, and what was asked. */
function asking(status: number) {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  globalThis.fetch = async (input, init) => {
    asked.push({ url: String(input), init })
    return new Response('', { status })
  }
  return asked
}

function signedIn(external = false) {
  const refreshed: number[] = []
  const keycloak = {
    clientId: 'portal',
    token: 'a-token',
    idToken: 'an-id-token',
    refreshToken: 'a-refresh-token',
    authenticated: true,
    createLogoutUrl: () => 'https://id.example/logout?client_id=portal&id_token_hint=x',
    updateToken: async (least: number) => {
      refreshed.push(least)
      return true
    },
  } as unknown as Keycloak
  const place = { url: '', realm: 'nordwerk', external, scopeFor: () => undefined }
  return { refreshed, identity: { keycloak, realm: 'nordwerk', place } satisfies Identity }
}

test('each minute a token with less than 70 s is refreshed, and every 180 s the session is pinged [T-15]', async () => {
  const asked = asking(200)
  const { refreshed, identity } = signedIn()
  const timers = new Map<number, () => void>()
  keepSession(
    identity,
    () => undefined,
    (run, everyMs) => timers.set(everyMs, run),
  )
  expect([...timers.keys()]).toEqual([60_000, 180_000])
  timers.get(60_000)?.()
  timers.get(180_000)?.()
  await expect.poll(() => refreshed).toEqual([70])
  await expect
    .poll(() => asked.map(({ url }) => url))
    .toEqual(['/manage/commands/commands.access.client.ping'])
  expect(asked[0]?.init?.headers).toEqual({ authorization: 'Bearer a-token' })
})

test('the session that ended elsewhere ends here [T-15]', () => {
  const { identity } = signedIn()
  let ended = 0
  keepSession(
    identity,
    () => void (ended += 1),
    () => undefined,
  )
  identity.keycloak.onAuthLogout?.()
  identity.keycloak.onAuthRefreshError?.()
  expect(ended).toBe(1) // a refresh that failed for a moment ends nothing
  identity.keycloak.authenticated = false
  identity.keycloak.onAuthRefreshError?.()
  expect(ended).toBe(2)
})

test.for([
  [false, 'id_token_hint=an-id-token'],
  [true, 'refresh_token=a-refresh-token'],
] as const)('a logout that identity refuses is an error [X-04]', async ([external, proof]) => {
  const asked = asking(500)
  await expect(signOut(signedIn(external).identity)).rejects.toThrow(
    'Logout failed, request returned an error code.',
  )
  expect(asked.map(({ url, init }) => [url, init?.method, String(init?.body)])).toEqual([
    ['https://id.example/logout', 'POST', `client_id=portal&${proof}`],
  ])
})
