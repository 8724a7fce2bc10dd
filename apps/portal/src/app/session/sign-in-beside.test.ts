import type Keycloak from 'keycloak-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Identity } from './identity.ts'
import { signInBeside } from './sign-in-beside.ts'

const origin = 'https://portal.example'
const channels: BroadcastChannel[] = []
let exchanged: URLSearchParams[]
let tokens: () => Response
beforeEach(() => {
  exchanged = []
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('location', { origin })
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    exchanged.push(body as URLSearchParams)
    return tokens()
  })
})
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close()
  vi.unstubAllGlobals()
})

const nonceToken = (nonce: string) =>
  `h.${Buffer.from(JSON.stringify({ nonce })).toString('base64url')}.s`

function identityOf() {
  const refreshed: (string | undefined)[] = []
  const keycloak = {
    clientId: 'portal',
    refreshToken: 'old',
    createLoginUrl: async () => `${origin}/auth?state=a-state&nonce=a-nonce`,
    updateToken: async () => refreshed.push(keycloak.refreshToken),
  } as unknown as Keycloak // what is used to sign in
  const place = {
    url: `${origin}/auth`,
    realm: 'nordwerk',
    external: false,
    scopeFor: () => undefined,
  }
  return { identity: { keycloak, realm: 'nordwerk', place } satisfies Identity, refreshed }
}

/** The window beside hands identity's answer over. */
function handOver(answer: string) {
  const channel = new BroadcastChannel('longreach.signIn')
  channels.push(channel)
  // Such a channel is of this origin alone.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(answer)
}
const begin = async () => {
  const { identity, refreshed } = identityOf()
  const outcome = Promise.withResolvers<void>()
  const { address, stop } = await signInBeside(
    identity,
    { ending: 'idle', username: 'erika@nordwerk' },
    { done: outcome.resolve, failed: outcome.reject },
  )
  return { address: new URL(address), stop, outcome: outcome.promise, refreshed }
}

test('the window proves by its code that it was opened by this page', async () => {
  tokens = () => Response.json({ refresh_token: 'new', id_token: nonceToken('a-nonce') })
  const { address, stop, outcome, refreshed } = await begin()
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  expect(address.searchParams.get('signed_out')).toBe('idle')
  handOver('state=a-state&code=a-code')
  await outcome
  stop()
  const sent = exchanged[0]
  expect(sent?.get('code')).toBe('a-code')
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(sent?.get('code_verifier') ?? ''),
  )
  expect(address.searchParams.get('code_challenge')).toBe(Buffer.from(digest).toString('base64url'))
  expect(refreshed).toEqual(['new'])
})

test('an answer for another tab is not taken', async () => {
  tokens = () => Response.json({ refresh_token: 'new', id_token: nonceToken('a-nonce') })
  const { stop, outcome } = await begin()
  handOver('state=another&code=stolen')
  handOver('state=a-state&code=a-code')
  await outcome
  stop()
  expect(exchanged.map((body) => body.get('code'))).toEqual(['a-code'])
})

test('an answer with another nonce is refused, and the old session stays as it is', async () => {
  tokens = () => Response.json({ refresh_token: 'new', id_token: nonceToken('replayed') })
  const { stop, outcome, refreshed } = await begin()
  handOver('state=a-state&code=a-code')
  await expect(outcome).rejects.toThrow('Invalid nonce.')
  stop()
  expect(refreshed).toEqual([])
})

test('a code that identity refuses is a failure', async () => {
  tokens = () => new Response('', { status: 400 })
  const { stop, outcome } = await begin()
  handOver('state=a-state&code=a-code')
  await expect(outcome).rejects.toThrow('The code was not exchanged: 400')
  stop()
})
