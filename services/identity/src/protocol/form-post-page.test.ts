import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizeUrl,
  claimsOf,
  identityTest,
  type IdentityTest,
  pkce,
  redeemCode,
  signInTo,
  testBrowser,
  tokensFor,
} from '../testing.ts'

let server: IdentityTest
const anna = { realm: 'nordwerk', username: 'anna' }
beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna')
})
afterAll(() => server.close())

test('the page that posts an answer runs its own script alone and stands in no frame', async () => {
  const browser = testBrowser()
  await signInTo(server, browser, { ...anna, changes: { code_challenge: pkce().challenge } })
  const { verifier, challenge } = pkce()
  const ask = { response_mode: 'form_post', code_challenge: challenge }
  const answer = await browser.go(authorizeUrl(server, 'nordwerk', ask))
  const page = await answer.text()
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      `script-src 'sha256-${hash}'`,
      "frame-ancestors 'none'",
    ]),
  )
  expect(policy).not.toContain('unsafe')
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  // The answer itself is as good as any other.
  const [, code = ''] = /name="code" value="([^"]+)"/.exec(page) ?? []
  const fields = { code, code_verifier: verifier, redirect_uri: `${server.origin}/` }
  expect((await redeemCode(server, 'nordwerk', { ...fields, client_id: 'portal' })).status).toBe(
    200,
  )
})

test('scopes of which no account has anything are echoed, and unknown ones are not', async () => {
  const changes = { scope: 'openid phone address solar' }
  const tokens = await tokensFor(server, testBrowser(), { ...anna, changes })
  const scope = String(claimsOf(tokens.access_token)['scope']).split(' ')
  expect(scope).toEqual(expect.arrayContaining(['openid', 'phone', 'address']))
  expect(scope).not.toContain('solar')
  expect(tokens.scope.split(' ').toSorted()).toEqual(scope.toSorted())
})

test('the discovery document names every claim that tells how somebody signed in', async () => {
  const answer = await fetch(
    `${server.origin}/auth/realms/nordwerk/.well-known/openid-configuration`,
  )
  const { claims_supported: claims } = (await answer.json()) as { claims_supported: string[] }
  expect(claims).toEqual(expect.arrayContaining(['acr', 'amr', 'auth_time', 'sid']))
})
