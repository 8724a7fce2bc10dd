import 'reflect-metadata'
import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { publish } from '@longreach/kit/events'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import * as x509 from '@peculiar/x509'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import { platform } from '../service.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
let clock = new Date('2026-01-05T12:00:00Z')

beforeAll(async () => {
  const services = [identityForTests, core, mappings, platform]
  server = await testServer(services, {
    admit: coreAuthorizer,
    mqttPort: 8883,
    now: () => clock,
  })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], platformContract)
let gateways = 0
const newDevice = async (label = `Gateway ${(gateways += 1)}`) => {
  const devices = server.as(seeded.people.administrator, mappingsContract)
  const { deviceId } = await devices.createDevice({ query: { organization }, body: { label } })
  return { org: organization, deviceId }
}
const issue = (params: { org: string; deviceId: string }, body: object = {}) =>
  as('administrator').issueActivationKey({ params, body })

/** Each test calls from an address of its own: wrong attempts are counted by address. */
let address = 1
const from = () => `10.0.0.${(address += 1)}`
const lookUp = (activationKey: string, { path = '/pairing/api/v1/', ip = from() } = {}) =>
  server.app.inject({
    url: `${path}?activationKey=${encodeURIComponent(activationKey)}&serialNumber=`,
    remoteAddress: ip,
  })
type License = { realm: string; logicalId: string; apiKey: string; platformPairingApiUrl: string }
const paired = async (label?: string) => {
  const params = await newDevice(label)
  const { activationKey } = await issue(params)
  return { params, activationKey, license: (await lookUp(activationKey)).json<License>() }
}

async function request(name: string) {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  })
  return csr.toString('pem')
}
const credentials = (
  { logicalId, realm, apiKey }: License,
  csr: string,
  { protocol = 'corvina_mqtt_v1', ip = from() } = {},
) =>
  server.app.inject({
    method: 'POST',
    url: `/pairing/v1/${realm}/devices/${logicalId}/protocols/${protocol}/credentials`,
    headers: { authorization: `Bearer ${apiKey}` },
    payload: { data: { csr } },
    remoteAddress: ip,
  })
const verify = async ({ logicalId, realm }: License, client_crt: string) => {
  const answer = await server.app.inject({
    method: 'POST',
    url: `/pairing/v1/${realm}/devices/${logicalId}/protocols/corvina_mqtt_v1/credentials/verify`,
    payload: { data: { client_crt } },
  })
  return { status: answer.statusCode, ...answer.json<{ data: object }>().data }
}

test('a key is shown once, has 80 random bits, and the one before stops working', async () => {
  const params = await newDevice()
  const first = await issue(params)
  expect(first.activationKey).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(first).toMatchObject({
    pairingEndpoint: 'http://portal.test/pairing/api/v1/',
    authorityUrl: 'http://portal.test/pairing/ca.crt',
  })
  expect(await as('viewer').activationKey({ params })).not.toHaveProperty('activationKey')
  const second = await issue(params)
  expect(second.activationKey).not.toBe(first.activationKey)
  const old = await lookUp(first.activationKey)
  expect(old.statusCode).toBe(410)
  expect(old.json()).toMatchObject({ code: 'platform.activation_key_revoked' })
  expect((await lookUp(second.activationKey)).statusCode).toBe(200)
})

test('the look-up answers what devices need, with and without slash, at every start [C-20]', async () => {
  const params = await newDevice()
  const { activationKey } = await issue(params)
  for (const path of ['/pairing/api/v1/', '/pairing/api/v1']) {
    const answer = await lookUp(activationKey, { path })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      realm: 'nordwerk',
      releaseKey: expect.stringMatching(/^MCow/) as string,
      logicalId: params.deviceId,
      apiKey: expect.stringMatching(/^[\w-]{43}$/) as string,
      platformPairingApiUrl: 'http://portal.test/pairing/v1/nordwerk',
      brokerUrls: 'corvina_mqtt_v1://portal.test:8883',
      orgResourceId: organization,
    })
    expect(answer.headers).toMatchObject({
      'x-organization-id': organization,
      'x-instance-id': expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    })
  }
  const typed = ` ${activationKey.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')}`
  expect((await lookUp(typed)).statusCode).toBe(200)
  expect(await as('viewer').activationKey({ params })).toMatchObject({ uses: 3, mostUses: null })
})

test('an unknown, used-up or expired key is refused with what to do [C-20]', async () => {
  const unknown = await lookUp('AAAA-AAAA-AAAA-AAAA')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json()).toMatchObject({
    code: 'platform.activation_key_unknown',
    message: expect.stringContaining('issue one') as string,
  })
  expect((await server.app.inject('/pairing/api/v1')).statusCode).toBe(400)

  const once = await issue(await newDevice(), { mostUses: 1 })
  const both = await Promise.all([lookUp(once.activationKey), lookUp(once.activationKey)])
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])

  const short = await issue(await newDevice(), { validForS: 60 })
  clock = new Date(clock.getTime() + 61_000)
  const late = await lookUp(short.activationKey)
  expect(late.statusCode).toBe(410)
  expect(late.json()).toMatchObject({ code: 'platform.activation_key_expired' })
})

test('a key that nobody presents ends after 30 days, one that was presented goes on at every start', async () => {
  const [begun, days] = [clock, (count: number) => count * 24 * 3_600_000]
  const [kept, used, dated] = [await newDevice(), await newDevice(), await newDevice()]
  const [lying, presented, longer] = [
    await issue(kept),
    await issue(used),
    await issue(dated, { validForS: 90 * 24 * 3_600 }),
  ]
  const end = new Date(begun.getTime() + days(30)).toISOString()
  expect([lying.expiresAt, presented.expiresAt]).toEqual([end, end])
  expect((await lookUp(presented.activationKey)).statusCode).toBe(200)
  expect(await as('viewer').activationKey({ params: used })).toMatchObject({ expiresAt: null })
  clock = new Date(begun.getTime() + days(31))
  try {
    const answers = [lying, presented, longer].map(({ activationKey }) => lookUp(activationKey))
    const [late, again, given] = await Promise.all(answers)
    expect(late?.statusCode).toBe(410)
    expect(late?.json()).toMatchObject({ code: 'platform.activation_key_expired' })
    expect([again?.statusCode, given?.statusCode]).toEqual([200, 200])
    const license = again?.json<License>() as License
    const name = `CN=${license.realm}/${license.logicalId}`
    expect((await credentials(license, await request(name))).statusCode).toBe(201)
  } finally {
    clock = begun
  }
})

test('who tries many wrong keys must wait, others need not', async () => {
  const ip = from()
  for (let attempt = 0; attempt < 20; attempt++) await lookUp(`WRONG-${attempt}`, { ip })
  const { activationKey } = await issue(await newDevice())
  const answer = await lookUp(activationKey, { ip })
  expect(answer.statusCode).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect((await lookUp(activationKey)).statusCode).toBe(200)
  clock = new Date(clock.getTime() + 61_000)
  expect((await lookUp(activationKey, { ip })).statusCode).toBe(200)
})

test('wrong keys of one IPv6 network are counted together, whatever address they come from', async () => {
  const at = (n: number) => ({ ip: `2001:db8:7:7::${n}` })
  for (let attempt = 1; attempt <= 20; attempt++) await lookUp(`WRONG-${attempt}`, at(attempt))
  const { activationKey } = await issue(await newDevice())
  expect((await lookUp(activationKey, at(99))).statusCode).toBe(429)
  expect((await lookUp(activationKey, { ip: '2001:db8:7:8::1' })).statusCode).toBe(200)
})

test.each(['corvina_mqtt_v1', 'astarte_mqtt_v1'])(
  'with %s a device gets a certificate in its name, and it verifies [C-20]',
  async (protocol) => {
    const { license } = await paired()
    const csr = await request(`O=System, CN=${license.logicalId}`)
    const answer = await credentials(license, csr, { protocol })
    expect(answer.statusCode).toBe(201)
    const { client_crt } = answer.json<{ data: { client_crt: string } }>().data
    expect(new x509.X509Certificate(client_crt).subjectName.getField('CN')).toEqual([
      `nordwerk/${license.logicalId}`,
    ])
    expect(await verify(license, client_crt)).toMatchObject({
      status: 200,
      valid: true,
      cause: null,
      until: expect.any(String) as string,
    })
    const { license: other } = await paired()
    expect(await verify(other, client_crt)).toMatchObject({ valid: false, cause: 'other_device' })
    expect(await verify(license, 'x')).toMatchObject({ valid: false, cause: 'not_a_certificate' })
  },
)

test('a request for another device and a malformed one are refused', async () => {
  const { license } = await paired()
  const { license: other } = await paired()
  const foreign = await credentials(license, await request(`CN=${other.logicalId}`))
  expect(foreign.statusCode).toBe(422)
  expect(foreign.json()).toMatchObject({ code: 'platform.request_for_other_device' })
  expect((await credentials(license, 'nonsense')).statusCode).toBe(400)
})

test('without its own credentials nobody gets a certificate for a device', async () => {
  const { license } = await paired()
  const { license: other } = await paired()
  const csr = await request(`CN=${license.logicalId}`)
  const refused = async (changed: Partial<License>) =>
    (await credentials({ ...license, ...changed }, csr)).statusCode
  expect(await refused({ apiKey: other.apiKey })).toBe(401)
  expect(await refused({ apiKey: '' })).toBe(401)
  expect(await refused({ realm: 'acqua' })).toBe(401)
  expect(await refused({ logicalId: 'AAAAAAAAAAAAAAAAAAAAAA' })).toBe(401)
})

test('taking the key back ends the credentials and every certificate', async () => {
  const { params, activationKey, license } = await paired()
  const csr = await request(`CN=${license.logicalId}`)
  const answer = await credentials(license, csr)
  const { client_crt } = answer.json<{ data: { client_crt: string } }>().data
  await as('administrator').revokeActivationKey({ params })
  expect(await verify(license, client_crt)).toMatchObject({ valid: false, cause: 'revoked' })
  expect((await credentials(license, csr)).statusCode).toBe(401)
  expect((await lookUp(activationKey)).statusCode).toBe(410)
  await expect(as('administrator').revokeActivationKey({ params })).rejects.toMatchObject({
    status: 404,
    code: 'platform.no_activation_key',
  })
})

test('the key of a device in the trash is worth nothing', async () => {
  const { params, activationKey, license } = await paired()
  const devices = server.as(seeded.people.administrator, mappingsContract)
  await devices.deleteDevice({ params: { id: params.deviceId }, query: { organization } })
  expect((await lookUp(activationKey)).statusCode).toBe(404)
  await server.settle()
  expect((await lookUp(activationKey)).statusCode).toBe(404)
  expect((await credentials(license, await request('CN='))).statusCode).toBe(404)
})

test('a key that an import made works, and none for a device that has moved meanwhile', async () => {
  const { deviceId } = await newDevice()
  await server.settle()
  const accepted = async (orgResourceId: string, fingerprint: string) => {
    const key = { deviceId, orgResourceId, fingerprint, by: 'adam', at: clock }
    await server.database.db
      .transaction()
      .execute((tx) => publish(tx, mappingsContract.events.activationKeyMade, key))
    await server.settle()
    const { rows } = await server.database.pool.query<{ fingerprint: string }>(
      `select fingerprint from platform.activation_key
       where device_id = $1 and revoked_at is null`,
      [deviceId],
    )
    return rows.map((row) => row.fingerprint)
  }
  expect(await accepted(organization, 'first')).toEqual(['first'])
  expect(await accepted('nordwerk.press', 'second')).toEqual(['first'])
  expect(await accepted(organization, 'third')).toEqual(['third'])
})

test('old device libraries are told the broker', async () => {
  const { license } = await paired()
  const answer = await server.app.inject({
    url: `/pairing/v1/nordwerk/devices/${license.logicalId}`,
    headers: { authorization: `Bearer ${license.apiKey}` },
  })
  expect(answer.json()).toMatchObject({
    data: { protocols: { astarte_mqtt_v1: { broker_url: 'mqtts://portal.test:8883/' } } },
  })
})

test('the authority can be downloaded, and after a rotation both are there', async () => {
  const { license } = await paired()
  await credentials(license, await request(`CN=${license.logicalId}`))
  const download = async () => (await server.app.inject('/pairing/ca.crt')).body
  const before = await download()
  expect(new x509.X509Certificate(before).subject).toContain('Longreach device authority')
  const rotated = await server.asService(platformContract).rotateAuthority({ body: {} })
  expect(rotated.stillTrusted).toBe(1)
  const after = await download()
  expect(after).toContain(before.trim())
  expect(x509.PemConverter.decode(after)).toHaveLength(2)
  await expect(as('owner').rotateAuthority({ body: {} })).rejects.toMatchObject({ status: 403 })
})

test('only who may update the device gets its key, and other organizations do not find it', async () => {
  const params = await newDevice()
  await issue(params)
  await expect(as('viewer').issueActivationKey({ params, body: {} })).rejects.toMatchObject({
    status: 403,
  })
  await expect(as('member').activationKey({ params })).rejects.toMatchObject({ status: 403 })
  const elsewhere = { ...params, org: 'nordwerk.press' }
  await expect(
    as('neighbour').issueActivationKey({ params: elsewhere, body: {} }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(as('neighbour').activationKey({ params: elsewhere })).rejects.toMatchObject({
    status: 404,
  })
  await expect(as('foreigner').activationKey({ params })).rejects.toMatchObject({ status: 404 })
})

test('two who issue a key at once leave one that works', async () => {
  const params = await newDevice()
  const issued = await Promise.allSettled([issue(params), issue(params)])
  const keys = issued.flatMap((one) => (one.status === 'fulfilled' ? one.value.activationKey : []))
  expect(keys).toHaveLength(2)
  const statuses = await Promise.all(keys.map(async (key) => (await lookUp(key)).statusCode))
  expect(statuses.toSorted()).toEqual([200, 410])
})
