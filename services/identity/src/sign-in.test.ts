import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimsOf, identityTest, type IdentityTest, testBrowser, tokensFor } from './testing.ts'

let server: IdentityTest
const nordwerk = { id: 7, resourceId: 'nordwerk', name: 'Nordwerk', scopes: ['iam.devices.read'] }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna', [nordwerk])
})
afterAll(() => server.close())

test('a person signs in with code and PKCE and gets tokens for the organization [C-40] [T-02]', async () => {
  const tokens = await tokensFor(server, testBrowser(), {
    realm: 'nordwerk',
    username: 'anna',
    changes: { scope: 'openid org:nordwerk app:*' },
  })
  const claims = claimsOf(tokens.access_token)
  expect(claims).toMatchObject({ preferred_username: 'anna@nordwerk' })
})
