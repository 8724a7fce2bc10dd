import {
  authorizeUrl,
  fragmentOf,
  goodPassword,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  redeemCode,
  testBrowser,
  type TestBrowser,
  type Tokens,
} from '../testing.ts'
import { totpCode } from './totp-rules.ts'

export type FactorTest = Awaited<ReturnType<typeof factorTest>>
type Changes = Record<string, string | undefined>
const realm = 'nordwerk'

/**
 * Test server with sign-ins page by page and people with second factors; its clock can be set ahead to
 * the next code.
 */
export async function factorTest() {
  const server = await identityTest()

  const code = (secret: string, awayMs = 0) =>
    totpCode(secret, new Date(Date.now() + server.clock.aheadMs + awayMs))

  /** Open an authorization request up to its first page. */
  async function open(browser: TestBrowser, changes: Changes = {}) {
    const { verifier, challenge } = pkce()
    const asked = await browser.go(
      authorizeUrl(server, realm, { code_challenge: challenge, ...changes }),
    )
    const page = locationOf(asked)
    return walkFrom(server, { browser, page, verifier })
  }

  /** Sign in with the password, up to the page that follows. */
  async function begin(username: string, changes: Changes = {}, browser = testBrowser()) {
    const walk = await open(browser, changes)
    const sent = await walk.send({ username, password: goodPassword })
    if (sent.status !== 303) throw new Error(`password refused: ${sent.status} ${sent.text}`)
    return walk
  }

  const signIn = async (username: string, changes: Changes = {}, browser = testBrowser()) =>
    (await open(browser, changes)).finish({ username, password: goodPassword })

  /** Person with an authenticator app, set up on the pages. */
  async function withApp(username: string) {
    const { sub } = await server.person(realm, username)
    await server.calls.updateAccount({
      params: { sub },
      body: { requiredActions: ['CONFIGURE_TOTP'] },
    })
    const walk = await begin(username)
    const secret = walk.secret(await walk.html())
    const { text } = await walk.send({ step: 'new-totp', code: code(secret), label: 'Phone' })
    const codes = [...text.matchAll(/<li><code>([a-z0-9-]+)<\/code>/g)].map(([, one = '']) => one)
    // The code of the set-up is used up; the next one is valid.
    server.clock.aheadMs += 30_000
    return { sub, secret, codes }
  }

  return {
    server,
    realm,
    code,
    open,
    begin,
    signIn,
    withApp,
    person: (username: string, ...more: Parameters<typeof server.person>[2][]) =>
      server.person(realm, username, ...more),
    async isSignedIn(browser: TestBrowser) {
      const changes = { prompt: 'none', code_challenge: pkce().challenge }
      const answer = await browser.go(authorizeUrl(server, realm, changes))
      return fragmentOf(locationOf(answer)).has('code')
    },
  }
}

type Walk = { browser: TestBrowser; page: string; verifier: string }
/** Sign-in, page by page. */
function walkFrom(server: IdentityTest, { browser, page, verifier }: Walk) {
  const html = async () => (await browser.go(page)).text()
  const send = async (fields: Record<string, string>) => {
    const answer = await browser.post(page, fields)
    const { status, headers } = answer
    return { status, headers, text: await answer.text(), location: locationOf(answer) }
  }
  /** Fragment of the authorization response, after the last step. */
  const leave = async (fields: Record<string, string>) => {
    const sent = await send(fields)
    if (!sent.location.includes('/protocol/')) {
      throw new Error(`not done: ${sent.status} ${sent.location} ${sent.text}`)
    }
    return fragmentOf(locationOf(await browser.go(sent.location)))
  }
  return {
    browser,
    page,
    html,
    send,
    leave,
    title: async () => /<h1>([^<]*)/.exec(await html())?.[1],
    secret: (text: string) =>
      (/<code>([A-Z2-7 ]{30,})<\/code>/.exec(text)?.[1] ?? '').replaceAll(' ', ''),
    finish: async (fields: Record<string, string>) => redeem(server, await leave(fields), verifier),
    /** Addresses with which somebody may try to skip the step that is due. */
    waysBack: async () => [
      page,
      `${server.at(realm, 'auth')}/${page.split('/').at(-1)?.split('?')[0]}`,
      authorizeUrl(server, realm, { code_challenge: pkce().challenge, prompt: 'none' }),
    ],
  }
}

async function redeem(server: IdentityTest, fragment: URLSearchParams, verifier: string) {
  const answer = await redeemCode(server, realm, {
    code: fragment.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: `${server.origin}/`,
    client_id: 'portal',
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return { ...((await answer.json()) as Tokens), fragment }
}
