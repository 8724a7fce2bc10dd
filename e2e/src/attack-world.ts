import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import {
  type Answer,
  type Ask,
  type AttackBrowser,
  browserFrom,
  send,
  slips,
} from './attack-http.ts'
import { linkIn, type MailServer } from './attack-mail.ts'
import { type Longreach, startLongreach } from './longreach.ts'

export type Person = { realm: string; username: string; password: string }
export type Tokens = { access_token: string; refresh_token: string; id_token: string }
type Account = Person & { id: number; sub: string }
type SignIn = {
  /** Parameters that differ from the portal's own request. */
  asked?: Record<string, string | undefined>
  browser?: AttackBrowser
}

export const password = 'brass kettle over 17 hills'

/** A server of the file's own, with two realms: `nordwerk` with anna, `acqua` with paola, its rival. */
export function attackWorld(env: Record<string, string> = {}, mail?: MailServer) {
  const owner: Person = { realm: 'nordwerk', username: 'anna', password }
  const rival: Person = { realm: 'acqua', username: 'paola', password }
  let longreach: Longreach
  const seats = { next: 0 }
  beforeAll(async () => {
    longreach = await startLongreach({
      env: {
        SETUP_USER: owner.username,
        SETUP_PASSWORD: password,
        SETUP_ORGANIZATION: owner.realm,
        REGISTRATION: 'open',
        ...(mail && { SMTP_URL: mail.url, MAIL_FROM: 'noreply@longreach.test' }),
        ...env,
      },
    })
    await settle(world, mail)
  })
  afterAll(() => longreach?.stop())
  afterEach(() => expect(slips.splice(0)).toEqual([]))

  const world = {
    owner,
    rival,
    server: () => longreach,
    url: () => longreach.url,
    at: (realm: string, path: string) =>
      `${longreach.url}/auth/realms/${realm}/protocol/openid-connect/${path}`,
    account: (realm: string, path = '') => `${longreach.url}/auth/realms/${realm}/account${path}`,
    core: (path: string) => `${longreach.url}/svc/core/api/v1/${path}`,
    /** A browser at an address that no other one has. */
    browser: () => browserFrom(nextSeat(seats)),
    seat: () => nextSeat(seats),
    signIn: (person: Person, how: SignIn = {}) => signIn(world, person, how),
    /** Somebody with an account in anna's organization. */
    person: (username: string, more: object = {}) => person(world, username, more),
    /** A call of anna or paola, by a token that is never old. */
    asOwner: (path: string, ask: Ask = {}) => asMaster(world, owner, { path, ask }),
    asRival: (path: string, ask: Ask = {}) => asMaster(world, rival, { path, ask }),
  }
  return world
}
export type World = ReturnType<typeof attackWorld>

function nextSeat(seats: { next: number }) {
  seats.next += 1
  return `127.1.${seats.next >> 6}.${(seats.next & 63) + 1}`
}

async function settle(world: World, mail: MailServer | undefined) {
  const { rival } = world
  const answer = await send(world.core('organizations/selfOnBoarding'), {
    body: {
      organization: { name: rival.realm },
      user: { username: 'paola', password, email: 'paola@acqua.test' },
    },
  })
  mustBe(201, answer)
  if (!mail) return
  // Where mail is sent, the address is the name, and the link in the mail makes the account.
  rival.username = 'paola@acqua.test'
  const link = linkIn(await mail.mailTo(rival.username))
  const token = /[#?&=/]([\w-]{20,})$/.exec(link)?.[1] ?? ''
  mustBe(201, await send(world.core('onboarding/confirm'), { body: { token } }))
}

/** Stop with what the answer says, where it is not the one that the way goes on from. */
export function mustBe(status: number, answer: Answer) {
  if (answer.status !== status) throw new Error(`${answer.status}, not ${status}: ${answer.text}`)
}

export const bearer = (token: string, ask: Ask = {}): Ask => ({
  ...ask,
  headers: { authorization: `Bearer ${token}`, ...ask.headers },
})

const masters = new Map<string, { token: string; until: number }>()
async function asMaster(world: World, who: Person, { path, ask }: { path: string; ask: Ask }) {
  const key = `${world.url()} ${who.realm}`
  const kept = masters.get(key)
  const token =
    kept && kept.until > Date.now() ? kept.token : (await world.signIn(who)).tokens.access_token
  if (token !== kept?.token) masters.set(key, { token, until: Date.now() + 120_000 })
  return send(world.core(path), bearer(token, ask))
}

async function person(world: World, username: string, more: object): Promise<Account> {
  const body = { username, password, ...more }
  const answer = await world.asOwner('organizations/nordwerk/users', { body })
  mustBe(201, answer)
  const { id, sub } = answer.json<{ id: number; sub: string }>()
  return { realm: 'nordwerk', username, password, id, sub }
}

export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The portal's question for a sign-in; a change of `undefined` leaves a parameter out. */
export function authorizeUrl(
  world: World,
  realm: string,
  changes: Record<string, string | undefined> = {},
) {
  const asked = {
    client_id: 'portal',
    redirect_uri: `${world.url()}/`,
    response_type: 'code',
    response_mode: 'fragment',
    scope: 'openid',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge_method: 'S256',
    ...changes,
  }
  const query = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return `${world.at(realm, 'auth')}?${new URLSearchParams(query)}`
}

/** The first form of a page: where it goes, and what it carries along. */
export function formOf(page: string, address: string) {
  const html = /<form\b.*?<\/form>/s.exec(page)?.[0] ?? ''

  const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  const fields: Record<string, string> = {}
  for (const [input] of html.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
    const name = /\bname="([^"]*)"/.exec(input)?.[1]
    if (name !== undefined) fields[name] = unescaped(/\bvalue="([^"]*)"/.exec(input)?.[1] ?? '')
  }
  const action = unescaped(/<form\b[^>]*action="([^"]*)"/.exec(html)?.[1] ?? address)
  return { action: new URL(action, address).href, fields }
}

/** The way to the login page: its address and form. */
export async function loginPage(browser: AttackBrowser, question: string) {
  const asked = await browser.go(question)
  mustBe(303, asked)
  const page = await browser.go(asked.location)
  mustBe(200, page)
  return { address: asked.location, ...formOf(page.text, asked.location), html: page.text }
}

/** Up to the code: the answer to the portal, and what redeems it. */
export async function codeFor(world: World, who: Person, how: SignIn = {}) {
  const browser = how.browser ?? world.browser()
  const { verifier, challenge } = pkce()
  const question = authorizeUrl(world, who.realm, { code_challenge: challenge, ...how.asked })
  const page = await loginPage(browser, question)
  const sent = await enter(browser, page, who)
  mustBe(303, sent)
  return { ...(await landed(browser, sent)), browser, verifier, page }
}

export const enter = (
  browser: AttackBrowser,
  { action, fields }: { action: string; fields: Record<string, string> },
  who: { username: string; password: string },
) => browser.post(action, { ...fields, username: who.username, password: who.password })

/** Follow the way back from the login page, as far as identity leads. */
export async function landed(browser: AttackBrowser, sent: Answer) {
  const back = sent.location.includes('/protocol/') ? await browser.go(sent.location) : sent
  return { fragment: fragmentOf(back.location), location: back.location, answer: back }
}

export const fragmentOf = (location: string) =>
  new URLSearchParams(location === '' ? '' : new URL(location).hash.slice(1))

export const redeem = (world: World, realm: string, fields: Record<string, string | undefined>) => {
  const all = {
    grant_type: 'authorization_code',
    client_id: 'portal',
    redirect_uri: `${world.url()}/`,
    ...fields,
  }
  const present = Object.entries(all).filter((entry): entry is [string, string] => !!entry[1])
  return send(world.at(realm, 'token'), { body: new URLSearchParams(present) })
}

export const refresh = (world: World, realm: string, token: string) =>
  redeem(world, realm, { grant_type: 'refresh_token', refresh_token: token, redirect_uri: '' })

async function signIn(world: World, who: Person, how: SignIn) {
  const { fragment, verifier, browser, location } = await codeFor(world, who, how)
  const code = fragment.get('code') ?? ''
  if (code === '') throw new Error(`No code: ${location}`)
  const answer = await redeem(world, who.realm, { code, code_verifier: verifier })
  mustBe(200, answer)
  return { tokens: answer.json<Tokens>(), browser, fragment }
}

/** A ticket for the rights in the person's organization, by the exchange that the portal makes. */
export const ticketOf = (world: World, realm: string, token: string, more: object = {}) =>
  send(
    world.at(realm, 'token'),
    bearer(token, {
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
        audience: 'corvina-platform',
        permission: realm,
        ...more,
      }),
    }),
  )

/** Requests that need a bearer token, one of each service. */
const doorsOf = (world: World, realm: string) => {
  const at = (path: string) => `${world.url()}${path}`
  return {
    userinfo: (token: string) => send(world.at(realm, 'userinfo'), bearer(token)),
    account: (token: string) =>
      send(world.account(realm), bearer(token, { headers: { accept: 'application/json' } })),
    ticket: (token: string) => ticketOf(world, realm, token),
    core: (token: string) => send(at('/svc/core/api/v1/users/mine'), bearer(token)),
    mappings: (token: string) =>
      send(at(`/svc/mappings/api/v1/devices?organization=${realm}`), bearer(token)),
    platform: (token: string) =>
      send(at(`/svc/platform/api/v1/organizations/${realm}/devices`), bearer(token)),
    audit: (token: string) =>
      send(at(`/svc/audit/api/v1/entries?organization=${realm}`), bearer(token)),
  }
}

/** Answers to a token, by the name of the request. */
export async function callWithToken(world: World, realm: string, token: string) {
  const doors = Object.entries(doorsOf(world, realm))
  const answers = doors.map(async ([name, door]) => [name, (await door(token)).status] as const)
  return Object.fromEntries(await Promise.all(answers))
}
const all = (status: number) => ({
  userinfo: status,
  account: status,
  ticket: status,
  core: status,
  mappings: status,
  platform: status,
  audit: status,
})
export const everyDoorOpens = all(200)
export const everyDoorShut = all(401)
