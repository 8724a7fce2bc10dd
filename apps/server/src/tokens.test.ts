import { createSecrets } from '@longreach/kit/secrets'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, expect, test, vi } from 'vitest'
import { createServerTokens, tokenVerifier } from './tokens.ts'

const secrets = createSecrets(Buffer.alloc(32, 3))
const site = { origin: 'https://portal.example.org', dataDir: '', mqttPort: 0 }
const issuer = `${site.origin}/auth/realms/nordwerk`
const good = {
  typ: 'Bearer',
  aud: 'corvina-platform',
  preferred_username: 'anna',
  scope: 'openid org:nordwerk.lyon',
  sid: 's1',
}

let keys: Awaited<ReturnType<typeof generateKeyPair>>
let other: typeof keys
let asked = 0
let verify: ReturnType<typeof tokenVerifier>

beforeAll(async () => {
  keys = await generateKeyPair('RS256')
  other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256' }
  const fetch = async (url: unknown) => {
    asked += 1
    const known = String(url) === '/auth/realms/nordwerk/protocol/openid-connect/certs'
    return new Response(JSON.stringify({ keys: [jwk] }), { status: known ? 200 : 404 })
  }
  verify = tokenVerifier({ secrets, site, fetch: fetch })
})

const token = (claims: JWTPayload, by = keys.privateKey, iss = issuer) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setSubject('u1')
    .setIssuedAt()
    .setIssuer(iss)
    .setExpirationTime('5m')
    .sign(by)

test('an access token names its person, realm, session and wished organization', async () => {
  expect(await verify(await token(good))).toEqual({
    kind: 'user',
    sub: 'u1',
    username: 'anna',
    realm: 'nordwerk',
    org: 'nordwerk.lyon',
    session: 's1',
  })
})

test('a good token is checked once, and the keys are asked for once', async () => {
  const one = await token({ ...good, jti: 'once' })
  await verify(one)
  const before = asked
  await verify(one)
  expect(asked).toBe(before)
})

test('a foreign key, issuer or kind of token is nobody [A-05]', async () => {
  const bad = [
    await token(good, other.privateKey),
    await token(good, keys.privateKey, 'https://evil.example/auth/realms/nordwerk'),
    await token(good, keys.privateKey, `${site.origin}/auth/realms/acqua`),
    await token(good, keys.privateKey, `${site.origin}/auth/realms/../nordwerk`),
    await token({ ...good, typ: 'ID' }),
    await token({ ...good, exp: 1 }).then((text) => `${text}x`),
    'no token',
    '',
  ]
  for (const one of bad) expect(await verify(one)).toBeUndefined()
})

test('an expired token is nobody', async () => {
  const old = await new SignJWT(good)
    .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
    .setSubject('u1')
    .setIssuer(issuer)
    .setExpirationTime(Math.floor(Date.now() / 1000) - 60)
    .sign(keys.privateKey)
  expect(await verify(old)).toBeUndefined()
})

test('no algorithm and a public key as secret are refused', async () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = encode({ ...good, sub: 'u1', iss: issuer, exp: 9_999_999_999 })
  expect(await verify(`${encode({ alg: 'none' })}.${body}.`)).toBeUndefined()
  const pem = JSON.stringify(await exportJWK(keys.publicKey))
  const forged = await new SignJWT(good)
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .setSubject('u1')
    .setIssuer(issuer)
    .sign(Buffer.from(pem))
  expect(await verify(forged)).toBeUndefined()
})

test('a token for somebody else is nobody here (attack 13)', async () => {
  for (const aud of ['portal', 'realm-management', 'corvina', '', undefined, ['x']]) {
    expect(await verify(await token({ ...good, aud: aud as string }))).toBeUndefined()
  }
  for (const aud of ['platform', ['account', 'corvina-platform']]) {
    expect(await verify(await token({ ...good, aud }))).toMatchObject({ sub: 'u1' })
  }
  const master = `${site.origin}/auth/realms/master`
  expect(await verify(await token(good, keys.privateKey, master))).toBeUndefined()
})

test('a token with wrong times is nobody (attack 14)', async () => {
  const now = Math.floor(Date.now() / 1000)
  const made = (claims: Record<string, unknown>) =>
    new SignJWT({ ...good, iss: issuer, sub: 'u1', iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign(keys.privateKey)
  expect(await verify(await made({}))).toMatchObject({ sub: 'u1' })
  for (const claims of [
    { exp: now - 60 },
    { exp: undefined },
    { nbf: now + 600 },
    { iat: now + 600 },
    { iat: undefined },
    { iat: now - 13 * 3600, exp: 9e15 },
  ]) {
    expect(await verify(await made(claims))).toBeUndefined()
  }
  for (const claims of [{ exp: String(now + 300) }, { iat: '1' }]) {
    const text = JSON.stringify({ ...good, iss: issuer, sub: 'u1', iat: now, exp: now, ...claims })
    const encode = (value: string) => Buffer.from(value).toString('base64url')
    const start = `${encode('{"alg":"RS256","kid":"k1"}')}.${encode(text)}`
    const key = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', keys.privateKey, Buffer.from(start))
    expect(await verify(`${start}.${Buffer.from(key).toString('base64url')}`)).toBeUndefined()
  }
})

test('who acts, how strongly and as what is read from the token', async () => {
  const impersonator = { sub: 'u2', username: 'boss@nordwerk' }
  const claims = { ...good, acr: '2', impersonator, azp: 'user-service-robot' }
  expect(await verify(await token(claims))).toMatchObject({
    secondFactor: true,
    serviceAccount: true,
    impersonator,
  })
  // The name does not make it a service account.
  const named = await verify(await token({ ...good, preferred_username: 'service-account-x' }))
  expect(named).not.toHaveProperty('serviceAccount')
})

test('two organizations in a token are no wish at all', async () => {
  const both = await verify(await token({ ...good, scope: 'org:a org:b' }))
  expect(both?.org).toBeUndefined()
})

test('a token dies with its session, also one that was checked before', async () => {
  const over = new Set<string>()
  const fetch = async () =>
    Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1' }] })
  const verifier = tokenVerifier({
    secrets,
    site,
    fetch: fetch,
    hasEnded: (session) => over.has(session),
  })
  const one = await token(good)
  expect(await verifier(one)).toMatchObject({ session: 's1' })
  over.add('s1')
  expect(await verifier(one)).toBeUndefined()
})

test("the house's own tokens hold under its own key only", async () => {
  const own = await createServerTokens(secrets).ofService('core')
  expect(await verify(own)).toMatchObject({ kind: 'service', sub: 'core' })
  const foreign = await createServerTokens(createSecrets(Buffer.alloc(32, 4))).ofService('core')
  expect(await verify(foreign)).toBeUndefined()
  const anna = { sub: '5', realm: 'nordwerk', username: 'anna' }
  const person = await createServerTokens(secrets).ofPerson(anna)
  expect(await verify(person)).toMatchObject({ kind: 'user', sub: '5', username: 'anna@nordwerk' })
})

test('with Keycloak its tokens name the realm by our name, and its keys count', async () => {
  const url = 'https://id.example.org'
  const keycloak = { url, realms: new Map([['nordwerk', 'plants']]) }
  const jwk = { ...(await exportJWK(other.publicKey)), kid: 'k1', alg: 'RS256' }
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: unknown) => {
    asked.push(String(address))
    return Response.json({ keys: [jwk] })
  })
  const own = { ...(await exportJWK(keys.publicKey)), kid: 'k1' }
  const fetch = async () => Response.json({ keys: [own] })
  const verifier = tokenVerifier({ secrets, site, fetch, keycloak })
  const theirs = await token(good, other.privateKey, `${url}/realms/plants`)
  expect(await verifier(theirs)).toMatchObject({ sub: 'u1', realm: 'nordwerk' })
  expect(asked).toEqual([`${url}/realms/plants/protocol/openid-connect/certs`])
  expect(await verifier(await token(good))).toMatchObject({ realm: 'nordwerk' })
  for (const iss of [
    `${url}/realms/nordwerk`,
    `${url}/realms/master`,
    `${url}.evil/realms/plants`,
  ]) {
    expect(await verifier(await token(good, other.privateKey, iss))).toBeUndefined()
  }
  expect(await verifier(await token(good, keys.privateKey, `${url}/realms/plants`))).toBeUndefined()
  vi.unstubAllGlobals()
})
