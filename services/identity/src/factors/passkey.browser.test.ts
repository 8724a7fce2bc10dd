import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testChromium } from '../chromium-testing.ts'
import { factorTest, type FactorTest } from './factor-testing.ts'
import { authorizeUrl, claimsOf, goodPassword, pkce, testBrowser } from '../testing.ts'

let it: FactorTest
let browser: Browser

beforeAll(async () => {
  it = await factorTest()
  const strict = { id: 1, resourceId: 'strict', name: 'S', scopes: ['iam.devices.read'] }
  for (const name of ['anna', 'bert', 'carl']) {
    await it.person(name, [{ ...strict, secondFactorRequired: true }])
  }
  browser = await testChromium()
})
afterAll(async () => {
  await browser?.close()
  await it?.server.close()
})

/** Page with a virtual security key that verifies the person, or that is only touched. */
async function withKey({ verifies = true } = {}) {
  const context = await browser.newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/content security|refused/i.test(message.text())) complaints.push(message.text())
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: verifies,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  })
  const credentials = async () =>
    (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return { page, context, credentials, complaints }
}

const open = (page: Page, changes: Record<string, string> = {}) =>
  page.goto(authorizeUrl(it.server, it.realm, { code_challenge: pkce().challenge, ...changes }))
const login = async (page: Page, username: string) => {
  await page.getByLabel('Benutzername').fill(username)
  await page.getByLabel('Passwort').fill(goodPassword)
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
}
const arrived = (page: Page) => page.waitForURL(/#.*code=/)

/** Make a passkey where the organization wants a second factor and the person has none. */
async function makePasskey(page: Page, username: string) {
  await open(page, { scope: 'openid org:strict' })
  await login(page, username)
  await page.getByRole('button', { name: 'Stattdessen einen Passkey einrichten' }).click()
  await page.getByRole('button', { name: 'Ich habe die Codes gespeichert' }).click()
  await arrived(page)
}

test('a passkey is made at sign-in, is the second factor, and then the only one [T-11] [R-04]', async () => {
  const { page, context, credentials, complaints } = await withKey()
  await makePasskey(page, 'anna')
  expect(await credentials()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])

  await context.clearCookies()
  await open(page)
  await login(page, 'anna')
  await page.getByRole('heading', { name: 'Zwei-Faktor-Authentifizierung' }).waitFor()
  await page.getByRole('button', { name: 'Passkey verwenden' }).click()
  await arrived(page)

  await context.clearCookies()
  await open(page)
  await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click()
  await arrived(page)
  const { rows } = await it.server.database.pool.query<{ payload: { amr: string[]; acr: string } }>(
    `select payload from identity.oidc_record where model = 'Session'
     order by (payload->>'iat')::bigint desc, payload->>'loginTs' desc`,
  )
  expect(rows.map(({ payload }) => [payload.acr, payload.amr.join(' ')])).toEqual(
    expect.arrayContaining([
      ['2', 'pwd hwk mfa'],
      ['2', 'hwk user mfa'],
    ]),
  )
  expect(complaints).toEqual([])
  await context.close()
})

test('the same answer of a passkey lets nobody in twice (attack 71)', async () => {
  const { page, context } = await withKey()
  await makePasskey(page, 'bert')
  await context.clearCookies()
  await open(page)
  let answer = ''
  await page.route('**/login-actions/authenticate/**', async (route) => {
    const sent = route.request()
    if (sent.method() !== 'POST') return route.continue()
    answer = new URLSearchParams(sent.postData() ?? '').get('passkey') ?? ''
    return route.continue()
  })
  await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click()
  await arrived(page)
  expect(answer).toContain('clientDataJSON')
  const walk = await it.open(testBrowser())
  await walk.html()
  const replayed = await walk.send({ step: 'passkey', passkey: answer })
  expect([replayed.status, replayed.text.includes('The passkey did not work')]).toEqual([200, true])
  for (const passkey of ['', '{}', '[]', 'null', '"x"', 'x', '{"id":{"$gt":""}}']) {
    expect((await walk.send({ step: 'passkey', passkey })).status).toBe(200)
  }
  await context.close()
})

test('a key that only knows that it was touched is no sign-in without a password', async () => {
  const { page, context } = await withKey({ verifies: false })
  await makePasskey(page, 'carl')
  await context.clearCookies()
  await open(page)
  await login(page, 'carl')
  await page.getByRole('button', { name: 'Passkey verwenden' }).click()
  await arrived(page)
  await context.clearCookies()
  await open(page)
  await page.getByRole('button', { name: 'Mit Passkey anmelden' }).click()
  await page.getByText('Der Passkey hat nicht funktioniert').waitFor()
  expect(page.url()).not.toContain('code=')
  await context.close()
})

test('at the account a passkey is made, named, and is no other person’s (attack 80) [C-18]', async () => {
  await it.person('dora')
  await it.person('egon')
  const [dora, egon] = [await it.signIn('dora'), await it.signIn('egon')]
  const call = async (token: string, path: string, body: object) => {
    const answer = await fetch(`${it.server.origin}/auth/realms/nordwerk/account${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const { page, context } = await withKey()
  await page.goto(`${it.server.origin}/auth/realms/nordwerk`)
  const make = async (token: string) => {
    const { body: options } = await call(token, '/passkeys/start', {})
    return page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
      const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
      return made.toJSON()
    }, options)
  }
  const credential = await make(dora.access_token)
  const stolen = await call(egon.access_token, '/passkeys', { credential, label: 'Key' })
  expect([stolen.status, stolen.body['code']]).toEqual([422, 'identity.passkey_refused'])
  const kept = await call(dora.access_token, '/passkeys', { credential, label: 'Blue key' })
  expect(kept.body['recoveryCodes']).toHaveLength(10)
  const twice = await call(dora.access_token, '/passkeys', { credential, label: 'Again' })
  expect(twice.status).toBe(422)
  const sub = claimsOf(dora.access_token)['sub'] as string
  const [first] = (await it.server.calls.account({ params: { sub } })).credentials
  expect(first).toMatchObject({ type: 'webauthn', userLabel: 'Blue key' })
  await context.close()
})
