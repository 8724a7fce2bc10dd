import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizeUrl,
  type IdentityTest,
  identityTest,
  locationOf,
  pkce,
  testBrowser,
  tokensFor,
} from '../testing.ts'

let server: IdentityTest
let hosted: string
beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna')
  await server.person('acqua', 'bea')
  hosted = server.origin.replace('://', '://nordwerk.')
})
afterAll(() => server.close())

test('people sign in for the host of an organization of their realm, and come back to it [C-04] [P-02]', async () => {
  const redirect_uri = `${hosted}/`
  const { location, access_token, id_token } = await tokensFor(server, testBrowser(), {
    realm: 'nordwerk',
    username: 'anna',
    changes: { redirect_uri },
  })
  expect(location.startsWith(`${hosted}/#`)).toBe(true)
  const headers = { authorization: `Bearer ${access_token}`, origin: hosted }
  const answer = await fetch(server.at('nordwerk', 'userinfo'), { headers })
  expect(answer.headers.get('access-control-allow-origin')).toBe(hosted)
  const preflight = await fetch(server.at('nordwerk', 'token'), { method: 'OPTIONS', headers })
  expect(preflight.headers.get('access-control-allow-origin')).toBe(hosted)
  const leave = { id_token_hint: id_token, post_logout_redirect_uri: `${hosted}/` }
  const left = await testBrowser().go(
    `${server.at('nordwerk', 'logout')}?${new URLSearchParams(leave)}`,
  )
  expect(locationOf(left)).toBe(`${hosted}/`)
})

test.each([
  ['another realm’s organization', () => server.origin.replace('://', '://acqua.')],
  ['nobody', () => server.origin.replace('://', '://nowhere.')],
  ['two labels', () => server.origin.replace('://', '://a.nordwerk.')],
  ['another port', () => hosted.replace(/\d+$/, '1')],
  ['another scheme', () => hosted.replace('http:', 'https:')],
  ['a longer name', () => `${hosted}.evil.example`],
  ['a user', () => hosted.replace('://', '://evil@')],
])(
  'the host of %s gets neither an answer nor the right to read one (attack 21) (attack 41)',
  async (_, origin) => {
    const { challenge } = pkce()
    const changes = { redirect_uri: `${origin()}/`, code_challenge: challenge }
    const asked = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
    expect([asked.status, locationOf(asked)]).toEqual([400, ''])
    const headers = { origin: origin() }
    const preflight = await fetch(server.at('nordwerk', 'token'), { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBe(null)
    const query = new URLSearchParams({ client_id: 'portal', origin: origin() })
    const frame = await fetch(server.at('nordwerk', `login-status-iframe.html/init?${query}`))
    expect(frame.status).toBe(403)
  },
)
