import { TOTP } from 'otpauth'
import { expect, vi } from 'vitest'
import { type Ask, send } from './attack-http.ts'
import {
  authorizeUrl,
  bearer,
  enter,
  formOf,
  loginPage,
  mustBe,
  type Person,
  pkce,
  type World,
} from './attack-world.ts'

const realm = 'nordwerk'

/** Functions that attacks on accounts repeat, in anna's realm. */
export function createAccountTools(world: World) {
  const ask = (changes: Record<string, string | undefined> = {}) =>
    authorizeUrl(world, realm, { code_challenge: pkce().challenge, ...changes })
  const forgottenAddress = () =>
    `${world.url()}/auth/realms/${realm}/login-actions/reset-credentials`
  return {
    ask,
    account: (token: string, path: string, request: Ask = {}) =>
      accountCall(world, token, path, request),
    forgottenAddress,
    forgot: (username: string) =>
      send(forgottenAddress(), { from: world.seat(), body: new URLSearchParams({ username }) }),
    /** True when the person can sign in with this password, from a new address. */
    async comesIn(who: Person, browser = world.browser()) {
      const page = await loginPage(browser, ask())
      return (await enter(browser, page, who)).status === 303
    },
    withTotp: (username: string) => withTotp(world, username),
    atCode: (who: Person) => atCode(world, who),
  }
}

const accountCall = (world: World, token: string, path: string, request: Ask = {}) =>
  send(world.account(realm, path), bearer(token, request))

export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
/** Go on when the step of the codes has time left for what follows. */
export const earlyInStep = () =>
  vi.waitFor(
    () => {
      if (Date.now() % 30_000 > 22_000) throw new Error('late in the step')
    },
    { timeout: 60_000, interval: 100 },
  )

/** Somebody with an authenticator, set up with the code of the step before; the present one is good still. */
async function withTotp(world: World, username: string) {
  const who = await world.person(username)
  const { tokens, browser } = await world.signIn(who)
  const begun = await accountCall(world, tokens.access_token, '/totp', { body: {} })
  mustBe(200, begun)
  const { secret } = begun.json<{ secret: string }>()
  await earlyInStep()
  const body = { code: codeOf(secret, -1), label: 'Phone' }
  const added = await accountCall(world, tokens.access_token, '/totp/confirm', { body })
  mustBe(200, added)
  const { id, recoveryCodes = [] } = added.json<{ id: string; recoveryCodes?: string[] }>()
  return { who, secret, tokens, browser, credential: id, recoveryCodes }
}

/** Past the password, to the page that asks for a code. */
async function atCode(world: World, who: Person) {
  const browser = world.browser()
  const { verifier, challenge } = pkce()
  const page = await loginPage(browser, authorizeUrl(world, realm, { code_challenge: challenge }))
  const sent = await enter(browser, page, who)
  mustBe(303, sent)
  const asked = await browser.go(sent.location)
  mustBe(200, asked)
  expect(asked.text).toContain('one-time-code')
  const { action, fields } = formOf(asked.text, sent.location)
  return {
    browser,
    verifier,
    page,
    address: sent.location,
    send: (code: string) => browser.post(action, { ...fields, code }),
  }
}
