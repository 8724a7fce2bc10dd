import type Keycloak from 'keycloak-js'
import { afterEach, expect, test, vi } from 'vitest'
import type { Identity } from './identity.ts'
import { endingOf, latestEnd, sayAtSignIn } from './session-end.ts'

const minute = 60_000
const now = 1_800_000_000_000

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['unused for 30 minutes', { keptAt: now - 30 * minute }, 'idle'],
  ['ten hours old', { latestEnd: now }, 'longest'],
  ['gone in another tab', { inOtherTab: true }, 'tab'],
  ['ended by somebody', {}, 'ended'],
])('a session that is %s is told as such', (_, known, ending) => {
  const usual = { keptAt: now - minute, latestEnd: now + 60 * minute, inOtherTab: false, now }
  expect(endingOf({ ...usual, ...known })).toBe(ending)
})

test('a session ends ten hours after the sign-in, that of an administrator who acts as somebody after one', () => {
  const idToken = { auth_time: now / 1000 }
  expect(latestEnd(idToken, {})).toBe(now + 600 * minute)
  expect(latestEnd(idToken, { impersonator: { sub: 'a' } })).toBe(now + 60 * minute)
  expect(latestEnd({}, {})).toBeUndefined()
})

test.each([
  [false, 'idle'],
  [true, null],
])(
  'the sign-in page gets the name, and the reason where identity is ours (external: %s)',
  async (external, told) => {
    const gone: string[] = []
    vi.stubGlobal('location', { assign: (to: URL) => gone.push(String(to)) })
    const keycloak = {
      createLoginUrl: async ({ loginHint = '' }) =>
        `https://id.example/auth?login_hint=${loginHint}`,
    } as unknown as Keycloak
    const place = { url: '', realm: 'nordwerk', external, scopeFor: () => undefined }
    const identity: Identity = { keycloak, realm: 'nordwerk', place }
    sayAtSignIn(identity, { ending: 'idle', username: 'anna@nordwerk' })
    await keycloak.login()
    const { searchParams } = new URL(gone[0] ?? '')
    expect(searchParams.get('login_hint')).toBe('anna')
    expect(searchParams.get('signed_out')).toBe(told)
  },
)
