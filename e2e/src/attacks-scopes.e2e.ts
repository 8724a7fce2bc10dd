import { beforeAll, expect, test } from 'vitest'
import { bearer, enter, addSignedInPerson, type Person } from './asking.ts'
import { personOf, tokensByHttp } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { sharedDemo } from './shared-worlds.ts'

let demo: DemoFile
let anna: Person
let max: Person
beforeAll(async () => {
  demo = await sharedDemo('demo')
  anna = personOf(demo, 'anna')
  max = personOf(demo, 'max')
})

type Claims = { scope: string; authorization?: { permissions: { rsname: string }[] } }
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims
/** The organizations that a token names. */
const namedIn = (token: string) =>
  (claimsOf(token).authorization?.permissions ?? []).map(({ rsname }) => rsname)

const tokenEndpoint = (realm = 'nordwerk') =>
  `${demo.url}/auth/realms/${realm}/protocol/openid-connect/token`

/** Ask for a permission ticket as the portal does. */
async function ticket(token: string, form: Record<string, string>) {
  const answer = await fetch(tokenEndpoint(), {
    method: 'POST',
    headers: bearer(token),
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
      audience: 'corvina-platform',
      ...form,
    }),
  })
  return { status: answer.status, text: await answer.text() }
}

/** Calls of every service about one organization, with this token. */
const statusesIn = async (token: string, organization: string) =>
  Promise.all(
    [
      `core/api/v1/organizations/${organization}`,
      `core/api/v1/organizations/${organization}/users`,
      `core/api/v1/organizations/${organization}/organizations`,
      `mappings/api/v1/devices?organization=${organization}`,
      `mappings/api/v1/devices?organization=${organization}.*`,
      `platform/api/v1/organizations/${organization}/devices`,
      `audit/api/v1/entries?organization=${organization}`,
    ].map(async (path) => {
      const { status } = await fetch(`${demo.url}/svc/${path}`, { headers: bearer(token) })
      return status
    }),
  )
const nowhere = Array.from({ length: 7 }, () => 404)

test.each([
  ['openid org:acqua', 'attack 42: a foreign organization as scope'],
  ['openid org:nordwerk', 'attack 42: the organization above as scope of who is not in it'],
  ['openid org:*', 'attack 43: every organization as scope'],
  ['openid org:* app:*', 'attack 43: every organization and every app as scope'],
  ['openid org:nordwerk.* org:acqua.*', 'attack 43: whole trees as scope'],
  ['openid org:nordwerk.sonnenkorn org:acqua', 'attack 44: two organizations, one foreign'],
  ['openid org:acqua org:nordwerk.sonnenkorn', 'attack 44: the same, the foreign one first'],
  ['openid org:__proto__ org:constructor', 'attack 45: words of the language as organizations'],
  ['openid org:NORDWERK org:Acqua', 'attack 45: another case'],
  ['openid org:acqua%00 org:acqua%20 org:acqua/', 'attack 45: encoded blanks and ends'],
  ['openid org:nordwerk.sonnenkorn.. org:.acqua', 'attack 45: more dots'],
])('"%s" opens nothing beyond the own organization (%s)', async (scope) => {
  const { access_token: token } = await tokensByHttp(demo.url, max, scope)
  expect(namedIn(token).filter((name) => name !== max.organization)).toEqual([])
  expect(await statusesIn(token, 'acqua')).toEqual(nowhere)
  expect(await statusesIn(token, 'nordwerk')).toEqual(nowhere)
})

test('attack 46: a refresh gives no wider scope', async () => {
  const { refresh_token } = await tokensByHttp(demo.url, max)
  for (const scope of ['openid org:acqua', 'openid org:nordwerk', 'openid org:*', 'org:nordwerk']) {
    const { refresh_token: own } = await tokensByHttp(demo.url, max)
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'corvina-web-portal',
      refresh_token: own,
      scope,
    })
    const answer = await fetch(tokenEndpoint(), { method: 'POST', body })
    const { access_token: token } = (await answer.json()) as { access_token?: string }
    if (token === undefined) expect(answer.status).toBe(400)
    else {
      expect(namedIn(token).filter((name) => name !== max.organization)).toEqual([])
      expect(await statusesIn(token, 'nordwerk')).toEqual(nowhere)
    }
  }
  const elsewhere = await fetch(tokenEndpoint('acqua'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'corvina-web-portal',
      refresh_token,
    }),
  })
  expect(elsewhere.status).toBe(400)
})

test('attack 47: claims that a client invents give no permission ticket', async () => {
  const { access_token: token } = await tokensByHttp(demo.url, max)
  const claims = Buffer.from(
    JSON.stringify({ org: ['acqua'], organizations: ['nordwerk'], sub: ['owner'], roles: ['*'] }),
  ).toString('base64')
  for (const permission of ['acqua', 'nordwerk', '*', 'nordwerk.*', '__proto__', 'acqua#read']) {
    for (const extra of [
      {},
      {
        claim_token: claims,
        claim_token_format: 'urn:ietf:params:oauth:token-type:jwt',
      },
      { rpt: token, submit_request: 'true', sub: anna.username },
    ]) {
      const { status, text } = await ticket(token, { permission, ...extra })
      expect([400, 403]).toContain(status)
      expect(text).not.toContain('access_token')
    }
  }
  expect((await ticket(token, { permission: max.organization })).status).toBe(200)
})

test('attack 48: a role that does not reach down opens nothing below', async () => {
  const plain = await addSignedInPerson(demo.url, anna, {
    organization: 'nordwerk',
    username: 'plain',
    roles: ['app_operator'],
  })
  for (const below of ['nordwerk.sonnenkorn', 'nordwerk.alpdrive']) {
    const { access_token: token } = await tokensByHttp(demo.url, plain, `openid org:${below}`)
    expect(namedIn(token)).not.toContain(below)
    expect(await statusesIn(token, below)).toEqual(nowhere)
    expect((await ticket(plain.access_token, { permission: below })).status).toBe(403)
  }
  expect((await ticket(plain.access_token, { permission: 'nordwerk' })).status).toBe(200)
})

test('attack 49: who leaves the organization has nothing of the ticket they hold', async () => {
  const leaver = await addSignedInPerson(demo.url, anna, {
    organization: 'nordwerk.sonnenkorn',
    username: 'leaver',
    roles: ['app_viewer'],
  })
  // Still in the realm, by another organization: the account and its session stay.
  const asAnna = await enter(demo.url, anna)
  const again = { username: leaver.username, existing: true }
  const joined = await asAnna.ask(
    'POST',
    'core/api/v1/organizations/nordwerk.alpdrive/users',
    again,
  )
  expect(joined.status).toBe(201)
  const held = await ticket(leaver.access_token, { permission: 'nordwerk.sonnenkorn' })
  const { access_token: token } = JSON.parse(held.text) as { access_token: string }
  const organization = 'core/api/v1/organizations/nordwerk.sonnenkorn'
  const before = await fetch(`${demo.url}/svc/${organization}`, { headers: bearer(token) })
  expect(before.status).toBe(200)
  const left = await asAnna.ask('DELETE', `${organization}/users/${leaver.id}`)
  expect(left.status).toBe(204)
  // The answer of the removal is the moment from which on nothing is left.
  for (const one of [token, leaver.access_token]) {
    expect(await statusesIn(one, 'nordwerk.sonnenkorn')).toEqual(nowhere)
  }
  const after = await ticket(leaver.access_token, { permission: 'nordwerk.sonnenkorn' })
  expect(after.status).toBe(403)
})
