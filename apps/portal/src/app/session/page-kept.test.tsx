import type Keycloak from 'keycloak-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ticketHolder } from './permission-ticket.ts'
import { queries, refusal } from '../../parts/api/queries.ts'
import { bearer } from '../../parts/api/send.ts'
import { bundledWords } from '../../parts/words/words.ts'
import {
  answer,
  desktop,
  faults,
  misplaced,
  organization,
  phone,
  session,
} from '../../page-testing.tsx'
import { freshToken, type Identity } from './identity.ts'
import { Portal } from '../start/Portal.tsx'

const rights = ['portal.access', 'models.read', 'models.create', 'devices.read']
const jwt = (claims: object) => `x.${btoa(JSON.stringify(claims))}.x`
const ticketOf = (scopes: readonly string[]) =>
  jwt({
    authorization: {
      permissions: [{ rsname: 'nordwerk', scopes: scopes.map((one) => `iam.${one}`) }],
    },
  })

/** Identity's adapter at the page's outer edge. */
function adapter() {
  const keycloak = {
    clientId: 'portal',
    authenticated: true,
    token: 'first',
    subject: 'a-subject',
    createLoginUrl: async () =>
      'https://id.example/auth?state=s1&nonce=n1&code_challenge=of-its-own',
    login: async () => undefined,
    updateToken: async () => {
      if (keycloak.refreshToken !== 'second-refresh') return false
      keycloak.authenticated = true
      keycloak.token = 'second'
      return true
    },
  } as unknown as Keycloak
  const place = {
    url: `${location.origin}/auth`,
    realm: 'nordwerk',
    external: false,
    scopeFor: () => undefined,
  }
  return { keycloak, realm: 'nordwerk', place } satisfies Identity as Identity
}

/** The whole portal with the form of a new model open and a name typed. */
async function typing(identity = adapter()) {
  const granted = { scopes: rights }
  const tickets = ticketHolder(async () =>
    Response.json({ access_token: ticketOf(granted.scopes), expires_in: 300 }),
  )
  const permissions = new Set(rights.map((one) => one.replace('.', ':'))) as never
  bearer.token = () => freshToken(identity)
  await render(
    <Portal
      session={session({ permissions })}
      identity={identity}
      tickets={tickets}
      path="/models/new"
      initial={{ language: 'en', words: await bundledWords('en') }}
    />,
  )
  const name = page.getByRole('textbox', { name: /Model name/ })
  await name.fill('BakingOven')
  return { granted, identity, name }
}

const { fetch: before } = globalThis
beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  answer({ 'GET /svc/core/api/v1/organizations/mine': () => [organization('nordwerk')] })
})
afterEach(() => {
  globalThis.fetch = before
  bearer.token = async () => undefined
  refusal.staysOpen = async () => false
  vi.unstubAllGlobals()
})

test('who loses the right to the open page is told on it, and keeps address and what is typed', async () => {
  const { granted, name } = await typing()
  granted.scopes = rights.filter((one) => one !== 'models.create')
  // An answer that is refused anew asks for the rights, as the clock does each minute.
  expect(await refusal.staysOpen()).toBe(true)
  const notice = page.getByRole('alert').filter({ hasText: 'no longer have permission' })
  await expect.element(notice).toMatchTextContent(/Models: create.*administrator of Nordwerk/)
  await expect.element(notice.getByRole('button', { name: 'Request access' })).toBeVisible()
  await expect.element(name).toHaveValue('BakingOven')
  expect(location.pathname).toBe('/models/new')
  expect(await faults()).toEqual([])
  await phone()
  expect(misplaced(notice.element())).toEqual([])
})

test('losing a right that the open page does not need says nothing', async () => {
  const { granted, name } = await typing()
  granted.scopes = rights.filter((one) => one !== 'devices.read')
  expect(await refusal.staysOpen()).toBe(false)
  await expect.element(name).toHaveValue('BakingOven')
  expect(page.getByText('no longer have permission').elements()).toEqual([])
})

test('a page whose session ended by itself waits under a cover, and goes on after the sign-in', async () => {
  const opened: string[] = []
  vi.stubGlobal('open', (to: string) => {
    opened.push(to)
    return globalThis
  })
  const exchanged: string[] = []
  const { identity, name } = await typing()
  const { keycloak } = identity
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40 * 60_000)
  keycloak.authenticated = false
  keycloak.token = undefined as never
  keycloak.onAuthLogout?.()
  vi.restoreAllMocks()
  const cover = page.getByRole('dialog', { name: 'You are signed out' })
  await expect.element(cover).toMatchTextContent(/30 minutes.*erika/)
  // Meanwhile calls wait.
  let called: string | undefined
  void freshToken(identity).then((token) => (called = token))
  globalThis.fetch = async (input, init) => {
    if (!String(input).endsWith('/token')) return Response.json({}, { status: 404 })
    exchanged.push(String(init?.body))
    return Response.json({ refresh_token: 'second-refresh', id_token: jwt({ nonce: 'n1' }) })
  }
  await cover.getByRole('button', { name: 'Sign in again' }).click()
  await expect.poll(() => opened).toHaveLength(1)
  const asked = new URL(opened[0] ?? '').searchParams
  expect(asked.get('signed_out')).toBe('idle')
  expect(asked.get('code_challenge')).not.toBe('of-its-own')
  expect(called).toBeUndefined()
  expect(await faults()).toEqual([])
  await phone()
  expect(misplaced(cover.element())).toEqual([])
  await desktop()
  const beside = new BroadcastChannel('longreach.signIn')
  for (const told of ['state=another&code=wrong', 'state=s1&code=c1']) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
    beside.postMessage(told)
  }
  await expect.poll(() => called).toBe('second')
  expect(exchanged).toHaveLength(1)
  expect(exchanged[0]).toMatch(/code=c1.*code_verifier=[\w-]{43}/)
  await expect.poll(() => cover.elements()).toEqual([])
  await expect.element(name).toHaveValue('BakingOven')
  await userEvent.type(name.element(), '2')
  await expect.element(name).toHaveValue('BakingOven2')
  beside.close()
})

test('a session that somebody ended leaves the page for the sign-in, with the way back', async () => {
  const { identity } = await typing()
  const { keycloak } = identity
  keycloak.authenticated = false
  keycloak.onAuthLogout?.()
  expect(page.getByRole('dialog').elements()).toEqual([])
  expect(identity.signedIn).toBeUndefined()
  expect(sessionStorage.getItem('longreach.deepLink')).toBe('/models/new?org=nordwerk')
})
