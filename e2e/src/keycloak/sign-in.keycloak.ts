import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../browser.ts'
import { insidePortal, patient } from '../portal.ts'
import {
  administer,
  claimsOf,
  type KeycloakWorld,
  keycloakUrl,
  keycloakWorld,
  password,
  protocolOf,
  signInThere,
  ticketFor,
  tokenCall,
  tokensOf,
} from './keycloak-world.ts'

let world: KeycloakWorld
let browser: Browser
beforeAll(async () => {
  world = await keycloakWorld({ name: 'kcdoor' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

/** The portal in a browser of its own, up to where Keycloak asks who one is. */
async function atKeycloak(path = '/') {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(`${world.url}${path}${path.includes('?') ? '&' : '?'}realm=${world.realm}`)
  await page.locator('#username').waitFor(patient)
  return { context, page, faults }
}

async function fillIn(page: Page, username = 'owner') {
  await page.locator('#username').fill(username)
  await page.locator('#password').fill(password)
  await page.locator('#kc-login').click()
}

/** Waits for the portal itself: Keycloak's pages have headings too. */
async function inside(page: Page) {
  await page.waitForURL((address) => address.origin === world.url && address.hash === '', patient)
  await insidePortal(page)
}
type Session = { id: string; username: string }
const sessions = async (username = 'owner') => {
  const [user] = await administer<{ id: string }[]>(
    'GET',
    `/${world.realm}/users?username=${username}&exact=true`,
  )
  return administer<Session[]>('GET', `/${world.realm}/users/${user?.id}/sessions`)
}

describe('signing in with the portal', () => {
  test('Keycloak asks by a code with PKCE, and the portal opens where one wanted to go [X-04]', async () => {
    const { context, page, faults } = await atKeycloak('/devices?view=table')
    const asked = new URL(page.url())
    expect(asked.origin).toBe(keycloakUrl)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'portal',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${world.url}/`,
    })
    await fillIn(page)
    await inside(page)
    expect(new URL(page.url()).pathname).toBe('/devices')
    expect(new URL(page.url()).hash).toBe('')
    expect(await page.locator('main').innerText()).not.toContain('permission')
    expect(faults).toEqual([])
    await context.close()
  })

  test('a wrong password stays at Keycloak, and leaves no session', async () => {
    const { context, page } = await atKeycloak()
    await page.locator('#username').fill('owner')
    await page.locator('#password').fill('wrong')
    await page.locator('#kc-login').click()
    await page
      .getByText(/invalid username or password/i)
      .first()
      .waitFor(patient)
    expect(new URL(page.url()).origin).toBe(keycloakUrl)
    await context.close()
  })

  test('a second tab of the browser comes in without a password', async () => {
    const { context, page } = await atKeycloak()
    await fillIn(page)
    await inside(page)
    const second = await context.newPage()
    await second.goto(`${world.url}/?realm=${world.realm}`)
    await inside(second)
    expect(new URL(second.url()).origin).toBe(world.url)
    await context.close()
  })
})

describe('the end of a session', () => {
  test('signing out ends it at Keycloak, and the other tab notices', async () => {
    const { context, page } = await atKeycloak()
    await fillIn(page)
    await inside(page)
    const second = await context.newPage()
    await second.goto(`${world.url}/?realm=${world.realm}`)
    await inside(second)
    const mine = (await sessions()).length
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url())
    })
    await page.getByRole('button', { name: /Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('#username').waitFor(patient)
    expect(posts).toContain(`${protocolOf(world.realm)}/logout`)
    await expect.poll(async () => (await sessions()).length).toBe(mine - 1)
    await second.locator('#username').waitFor(patient)
    await context.close()
  })

  test('a session that an administrator ends is over in the open page', async () => {
    const before = new Set((await sessions()).map(({ id }) => id))
    const { context, page } = await atKeycloak()
    await fillIn(page)
    await inside(page)
    const mine = (await sessions()).find(({ id }) => !before.has(id))
    await administer('DELETE', `/${world.realm}/sessions/${mine?.id}`)
    await page.reload()
    await page.locator('#username').waitFor(patient)
    await context.close()
  })
})

describe('tokens', () => {
  test('a code without its verifier, or with another, brings nothing [X-04]', async () => {
    const { realm, url } = world
    for (const wrong of [{}, { code_verifier: 'x'.repeat(43) }]) {
      const { code, own } = await signInThere({ realm, url, username: 'owner' })
      const form = { ...own, grant_type: 'authorization_code', code: code ?? '', ...wrong }
      expect((await tokenCall(realm, form)).status).toBe(400)
    }
    const plain = await fetch(
      `${protocolOf(realm)}/auth?${new URLSearchParams({ client_id: 'portal', redirect_uri: `${url}/`, response_type: 'code', scope: 'openid' })}`,
      { redirect: 'manual' },
    )
    expect(plain.headers.get('location')).toContain('code_challenge_method')
    const foreign = await fetch(
      `${protocolOf(realm)}/auth?${new URLSearchParams({ client_id: 'portal', redirect_uri: 'https://evil.example/', response_type: 'code', scope: 'openid' })}`,
      { redirect: 'manual' },
    )
    expect(foreign.status).toBe(400)
    expect(foreign.headers.get('location')).toBeNull()
  })

  test('a refreshed token opens calls, and the refresh token before is spent', async () => {
    const { realm, url } = world
    const first = await tokensOf({ realm, url, username: 'owner' })
    const form = { grant_type: 'refresh_token', client_id: 'portal' }
    const second = await tokenCall(realm, { ...form, refresh_token: first.refresh_token })
    expect(second.status).toBe(200)
    const mine = await fetch(`${url}/svc/core/api/v1/organizations/mine`, {
      headers: { authorization: `Bearer ${second.body.access_token}` },
    })
    expect(await mine.json()).toMatchObject([{ resourceId: realm }])
    const again = await tokenCall(realm, { ...form, refresh_token: first.refresh_token })
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  })
})

describe('permission tickets', () => {
  test('the token is for the platform, and its ticket says what one may [A-01] [E-02]', async () => {
    const { realm, url } = world
    const { access_token: token, id_token } = await tokensOf({ realm, url, username: 'owner' })
    expect(claimsOf(token)).toMatchObject({ iss: `${keycloakUrl}/realms/${realm}`, azp: 'portal' })
    expect([claimsOf(token)['aud']].flat()).toContain('corvina-platform')
    const answer = await ticketFor(url, realm, token)
    expect(answer.status).toBe(200)
    const { access_token: ticket } = (await answer.json()) as { access_token: string }
    const { authorization } = claimsOf(ticket) as {
      authorization: { permissions: { rsname: string; scopes: string[] }[] }
    }
    expect(authorization.permissions).toMatchObject([{ rsname: realm }])
    expect(authorization.permissions[0]?.scopes).toContain('iam.portal.access')
    expect((await ticketFor(url, realm, token, 'elsewhere')).status).toBe(403)
    for (const bad of [id_token, `${token}x`]) {
      expect((await ticketFor(url, realm, bad)).status).toBe(401)
      const call = await fetch(`${url}/svc/core/api/v1/users/mine`, {
        headers: { authorization: `Bearer ${bad}` },
      })
      expect(call.status).toBe(401)
    }
  })

  test('a token of the realm master, or of another realm there, opens nothing', async () => {
    const other = `${world.realm}-other`
    await administer('POST', '', { realm: other, enabled: true })
    await administer('POST', `/${other}/clients`, {
      clientId: 'program',
      secret: 'a secret of tests',
      serviceAccountsEnabled: true,
      protocolMappers: [
        {
          name: 'audience',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-audience-mapper',
          config: { 'included.custom.audience': 'corvina-platform', 'access.token.claim': 'true' },
        },
      ],
    })
    const strange = await tokenCall(other, {
      grant_type: 'client_credentials',
      client_id: 'program',
      client_secret: 'a secret of tests',
    })
    const master = await tokenCall('master', {
      grant_type: 'client_credentials',
      client_id: process.env['KEYCLOAK_ADMIN_CLIENT_ID'] ?? '',
      client_secret: process.env['KEYCLOAK_ADMIN_CLIENT_SECRET'] ?? '',
    })
    for (const { body } of [strange, master]) {
      const headers = { authorization: `Bearer ${body.access_token}` }
      const at = `${world.url}/svc/core/api/v1/organizations/${world.realm}`
      expect([401, 404]).toContain((await fetch(at, { headers })).status)
      expect((await ticketFor(world.url, world.realm, body.access_token)).status).toBe(401)
    }
    await administer('DELETE', `/${other}`)
  })
})
