import { decodeProtectedHeader } from 'jose'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IdentityDb } from '../identity-tables.ts'
import { adapterOf } from './oidc-adapter.ts'
import {
  authorizeUrl,
  claimsOf,
  fragmentOf,
  identityTest,
  type IdentityTest,
  locationOf,
  pkce,
  redeemCode,
  refresh,
  signInTo,
  testBrowser,
  type Tokens,
  tokensFor,
} from '../testing.ts'

let server: IdentityTest
const nordwerk = {
  id: 7,
  resourceId: 'nordwerk',
  name: 'Nordwerk',
  scopes: ['iam.devices.read'],
  roles: ['app_1', 'data_viewer'],
}
const plant = { id: 9, resourceId: 'nordwerk.plant', name: 'Plant', scopes: ['iam.alarms.ack'] }
const anna = { realm: 'nordwerk', username: 'anna' }
const inOrganization = { ...anna, changes: { scope: 'openid org:nordwerk app:*' } }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna', [nordwerk, plant])
  await server.person('nordwerk', 'otto', [nordwerk])
  await server.person('solaris', 'sole')
})
afterAll(() => server.close())

test('a token for an organization carries the claims of the wire [C-40] [T-02] [A-01]', async () => {
  const tokens = await tokensFor(server, testBrowser(), inOrganization)
  const claims = claimsOf(tokens.access_token)
  expect(decodeProtectedHeader(tokens.access_token).alg).toBe('RS256')
  expect(claims).toMatchObject({
    iss: `${server.origin}/auth/realms/nordwerk`,
    aud: 'corvina-platform',
    azp: 'portal',
    typ: 'Bearer',
    preferred_username: 'anna@nordwerk',
    realm_access: { roles: ['nordwerk.roles.app_1', 'nordwerk.roles.data_viewer'] },
    resource_access: { 'corvina-platform': { roles: ['app_1', 'data_viewer'] } },
  })
  // Roles stand in claims of their own.
  expect(claims['authorization']).toEqual({
    permissions: [{ rsid: '7', rsname: 'nordwerk', scopes: ['iam.devices.read'] }],
  })
  expect(claims['scope']).toBe('openid org:nordwerk app:* profile email')
  expect(claims['sid']).toBe(claims['session_state'])
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 300 })
  expect(claimsOf(tokens.id_token)).toMatchObject({ nonce: 'some-nonce', aud: 'portal' })
  expect(claimsOf(tokens.id_token)['sid']).toBe(claims['sid'])
  expect(claimsOf(tokens.refresh_token)['scope']).toMatch(/org:nordwerk /)
  expect(claimsOf(tokens.refresh_token)).toMatchObject({ typ: 'Refresh', nonce: 'some-nonce' })
})

test('the answer comes in the order that clients in the field parse [C-05]', async () => {
  const { location, fragment } = await tokensFor(server, testBrowser(), anna)
  expect([...fragment.keys()]).toEqual(['state', 'session_state', 'iss', 'code'])
  expect(new URLSearchParams(location).get('code')).toBe(fragment.get('code'))
})

test('a field client without PKCE, state and nonce gets all its organizations', async () => {
  const changes = {
    client_id: 'corvina-web-portal',
    redirect_uri: 'http://localhost/callback/',
    scope: 'openid org:*',
    state: undefined,
    nonce: undefined,
    code_challenge: undefined,
    code_challenge_method: undefined,
  }
  const browser = testBrowser()
  const { location } = await signInTo(server, browser, { ...anna, changes })
  expect(location).toMatch(/^http:\/\/localhost\/callback\/#session_state=.+&iss=.+&code=/)
  const answer = await redeemCode(server, 'nordwerk', {
    code: fragmentOf(location).get('code') ?? '',
    client_id: 'corvina-web-portal',
    redirect_uri: 'http://localhost/callback/',
  })
  const tokens = (await answer.json()) as Tokens
  const { permissions } = claimsOf(tokens.access_token)['authorization'] as {
    permissions: { rsname: string }[]
  }
  expect(permissions.map(({ rsname }) => rsname)).toEqual(['nordwerk', 'nordwerk.plant'])

  const otto = await signInTo(server, testBrowser(), { ...anna, username: 'otto', changes })
  const single = await redeemCode(server, 'nordwerk', {
    code: fragmentOf(otto.location).get('code') ?? '',
    client_id: 'corvina-web-portal',
    redirect_uri: 'http://localhost/callback/',
  })
  expect(claimsOf(((await single.json()) as Tokens).access_token)['authorization']).toEqual({
    permissions: [{ rsid: '7', rsname: 'nordwerk', scopes: ['iam.devices.read'] }],
  })
})

test.each([
  ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a plain challenge', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
  ['an unknown method', { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' }],
])('the portal is refused with %s (attack 24) [C-40]', async (_, changes) => {
  const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
  expect(fragmentOf(locationOf(answer)).get('error')).toBe('invalid_request')
})

const portalCode = async () => {
  const { verifier: code_verifier, challenge: code_challenge } = pkce()
  const { location } = await signInTo(server, testBrowser(), {
    ...anna,
    changes: { code_challenge },
  })
  return {
    code: fragmentOf(location).get('code') ?? '',
    client_id: 'portal',
    redirect_uri: `${server.origin}/`,
    code_verifier,
  }
}

test('a code needs its verifier, its client, its redirect address and its realm (attack 23) (attack 26)', async () => {
  const right = await portalCode()
  const foreign = { ...right, client_id: 'corvina-web-portal' }
  expect((await redeemCode(server, 'nordwerk', foreign)).status).toBe(400)
  expect((await redeemCode(server, 'solaris', right)).status).toBe(400)
  expect((await redeemCode(server, 'nordwerk', right)).status).toBe(200)
})

test('a code is spent by one wrong verifier or redirect address: there is no second guess', async () => {
  const wrong = [
    { code_verifier: undefined },
    { code_verifier: 'y'.repeat(43) },
    { redirect_uri: `${server.origin}/other` },
  ]
  for (const change of wrong) {
    const right = await portalCode()
    const { code_verifier, ...fields } = { ...right, ...change }
    const sent = { ...fields, ...(code_verifier !== undefined && { code_verifier }) }
    expect((await redeemCode(server, 'nordwerk', sent)).status).toBe(400)
    expect((await redeemCode(server, 'nordwerk', right)).status).toBe(400)
  }
})

test('the field client needs a proof key at the portal, and none where it waits itself', async () => {
  const bare = { code_challenge: undefined, code_challenge_method: undefined }
  const field = { client_id: 'corvina-web-portal', ...bare }
  const atPortal = await testBrowser().go(authorizeUrl(server, 'nordwerk', field))
  expect(fragmentOf(locationOf(atPortal)).get('error')).toBe('invalid_request')
  const callback = { ...field, redirect_uri: 'http://localhost/callback/' }
  const { location } = await signInTo(server, testBrowser(), { ...anna, changes: callback })
  expect(fragmentOf(location).get('code')).toBeTruthy()
})

test('of eight redemptions at once one gets tokens (attack 25)', async () => {
  const { verifier: code_verifier, challenge: code_challenge } = pkce()
  const { location } = await signInTo(server, testBrowser(), {
    ...anna,
    changes: { code_challenge },
  })
  const fields = {
    code: fragmentOf(location).get('code') ?? '',
    client_id: 'portal',
    redirect_uri: `${server.origin}/`,
    code_verifier,
  }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => redeemCode(server, 'nordwerk', fields)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(400)])
})

test('who uses a code at the same moment as another withdraws what the other was given (attack 25)', async () => {
  const { fragment, refresh_token } = await tokensFor(server, testBrowser(), anna)
  expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(200)
  // The other one had read the code as new, and comes second.
  const db = server.database.db.withSchema('identity') as Kysely<IdentityDb>
  const codes = adapterOf(db, 'nordwerk')('AuthorizationCode')
  await expect(codes.consume(fragment.get('code') ?? '')).rejects.toThrow('invalid_grant')
  expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(400)
})

test('of forty uses of one record at the same moment one wins', async () => {
  const db = server.database.db.withSchema('identity') as Kysely<IdentityDb>
  const codes = adapterOf(db, 'nordwerk')('AuthorizationCode')
  for (let round = 0; round < 5; round++) {
    await codes.upsert(`c${round}`, { jti: `c${round}` }, 60)
    const uses = await Promise.allSettled(
      Array.from({ length: 40 }, () => codes.consume(`c${round}`)),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await codes.find(`c${round}`))?.consumed).toBeDefined()
  }
})

test('a code that is used again kills what it gave', async () => {
  const { redeem, refresh_token } = await tokensFor(server, testBrowser(), anna)
  expect((await redeem()).status).toBe(400)
  expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(400)
})

test('refreshing rotates the token and looks the organization up again [T-15]', async () => {
  const { sub } = await server.person('nordwerk', 'rita', [nordwerk])
  const first = await tokensFor(server, testBrowser(), { ...inOrganization, username: 'rita' })
  const again = await refresh(server, 'nordwerk', { refresh_token: first.refresh_token })
  const second = (await again.json()) as Tokens
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(claimsOf(second.access_token)['authorization']).toBeDefined()
  expect(claimsOf(second.refresh_token)['scope']).toMatch(/org:nordwerk /)
  await server.belongs(sub, [])
  const third = await refresh(server, 'nordwerk', { refresh_token: second.refresh_token })
  const claims = claimsOf(((await third.json()) as Tokens).access_token)
  expect(claims['authorization']).toBeUndefined()
  expect(claims['scope']).not.toMatch(/org:/)
})

test('a refresh token works again for ten seconds, then its use kills the family [T-15]', async () => {
  const first = await tokensFor(server, testBrowser(), anna)
  const { refresh_token } = first
  const one = (await (await refresh(server, 'nordwerk', { refresh_token })).json()) as Tokens
  const lost = await refresh(server, 'nordwerk', { refresh_token })
  expect(lost.status).toBe(200)
  await server.database.pool.query(
    `update identity.oidc_record set consumed_at = consumed_at - interval '11 seconds' where consumed_at is not null`,
  )
  expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(400)
  const dead = await refresh(server, 'nordwerk', { refresh_token: one.refresh_token })
  expect(dead.status).toBe(400)
})

test('a refresh token works in its realm, for its client, untouched, and cannot ask for more (attack 46)', async () => {
  const { refresh_token, access_token, id_token } = await tokensFor(server, testBrowser(), anna)
  const [head = '', body = '', signature = ''] = refresh_token.split('.')
  const changed = Buffer.from(
    JSON.stringify({ ...claimsOf(refresh_token), scope: 'openid org:nordwerk' }),
  ).toString('base64url')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const tries = [
    { refresh_token: `${head}.${changed}.${signature}` },
    { refresh_token: `${none}.${body}.` },
    { refresh_token: access_token },
    { refresh_token: id_token },
    { refresh_token, client_id: 'corvina-web-portal' },
    { refresh_token, scope: 'openid org:nordwerk' },
  ]
  for (const fields of tries) expect((await refresh(server, 'nordwerk', fields)).status).toBe(400)
  expect((await refresh(server, 'solaris', { refresh_token })).status).toBe(400)
  expect((await refresh(server, 'nordwerk', { refresh_token })).status).toBe(200)
})

test.each([
  'org:solaris',
  'org:__proto__',
  'org:constructor',
  'org:NORDWERK',
  'org:',
  'org:nordwerk.*',
])(
  'the scope %s of an organization that is not theirs is not in the token [T-02] [A-01]',
  async (wish) => {
    const changes = { scope: `openid ${wish} app:*` }
    const { access_token } = await tokensFor(server, testBrowser(), { ...anna, changes })
    const claims = claimsOf(access_token)
    expect(claims['scope']).not.toMatch(/org:/)
    expect(claims['authorization']).toBeUndefined()
  },
)

test('of two organizations asked for, the token holds the one that is theirs (attack 42) (attack 44)', async () => {
  const changes = { scope: 'openid org:solaris org:nordwerk' }
  const { access_token } = await tokensFor(server, testBrowser(), { ...anna, changes })
  const { permissions } = claimsOf(access_token)['authorization'] as { permissions: object[] }
  expect(permissions).toEqual([{ rsid: '7', rsname: 'nordwerk', scopes: ['iam.devices.read'] }])
})

test('a second organization needs no second sign-in, and the first tab stays alive [T-01]', async () => {
  const browser = testBrowser()
  const first = await tokensFor(server, browser, inOrganization)
  const { verifier: code_verifier, challenge: code_challenge } = pkce()
  const changes = { code_challenge, scope: 'openid org:nordwerk.plant', prompt: 'none' }
  const answer = await browser.go(authorizeUrl(server, 'nordwerk', changes))
  const code = fragmentOf(locationOf(answer)).get('code') ?? ''
  const fields = { code, code_verifier, client_id: 'portal', redirect_uri: `${server.origin}/` }
  const redeemed = await redeemCode(server, 'nordwerk', fields)
  const second = (await redeemed.json()) as Tokens
  expect(claimsOf(second.access_token)['scope']).toMatch(/org:nordwerk\.plant/)
  const kept = await refresh(server, 'nordwerk', { refresh_token: first.refresh_token })
  const scope = claimsOf(((await kept.json()) as Tokens).access_token)['scope'] as string
  expect(scope.split(' ')).toContain('org:nordwerk')
  expect(scope).not.toContain('plant')
})

test('prompt=none without a session answers that a sign-in is needed', async () => {
  const changes = { prompt: 'none', code_challenge: pkce().challenge }
  const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
  expect(fragmentOf(locationOf(answer)).get('error')).toBe('login_required')
})

test('a session of one realm is nobody in another (attack 12)', async () => {
  const browser = testBrowser()
  await tokensFor(server, browser, anna)
  const changes = { prompt: 'none', code_challenge: pkce().challenge }
  const answer = await browser.go(authorizeUrl(server, 'solaris', changes))
  expect(fragmentOf(locationOf(answer)).get('error')).toBe('login_required')
  for (const [key, cookie] of browser.cookies) {
    if (cookie.path !== '/auth/realms/nordwerk/') continue
    browser.cookies.set(key.replace('nordwerk', 'solaris'), {
      ...cookie,
      path: '/auth/realms/solaris/',
    })
  }
  const forged = await browser.go(authorizeUrl(server, 'solaris', changes))
  expect(fragmentOf(locationOf(forged)).get('error')).toBe('login_required')
})

test.each(['token', 'id_token', 'id_token token', 'code token', 'none'])(
  'the response type %s is refused',
  async (response_type) => {
    const changes = { response_type, code_challenge: pkce().challenge }
    const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', changes))
    const error = fragmentOf(locationOf(answer)).get('error')
    expect(error).toMatch(/unsupported_response_type|invalid_request/)
  },
)

test('a fragment of the redirect address stays in front of the answer', async () => {
  const redirect_uri = `${server.origin}/#/devices`
  const { location } = await tokensFor(server, testBrowser(), {
    ...anna,
    changes: { redirect_uri },
  })
  expect(location).toMatch(/\/#\/devices&state=some-state&/)
})

test('an unknown realm and an unknown client are not there', async () => {
  const unknown = await testBrowser().go(authorizeUrl(server, 'nobody'))
  expect(unknown.status).toBe(404)
  const proto = await testBrowser().go(authorizeUrl(server, '__proto__'))
  expect(proto.status).toBe(404)
  const answer = await testBrowser().go(authorizeUrl(server, 'nordwerk', { client_id: 'other' }))
  expect(answer.status).toBe(400)
  expect(answer.headers.get('location')).toBeNull()
})
