import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { serialize } from 'bson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, makeDevice, signInByHttp } from './calls.ts'
import { connectDevice, pair, type Paired } from './device.ts'
import { type Longreach, startLongreach } from './longreach.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 86_400_000
const patient = { timeout: 60_000 }

let longreach: Longreach
let call: Calls
let press: { device: string; paired: Paired; activationKey: string; deviceId: string }
let other: typeof press
beforeAll(async () => {
  const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
  longreach = await startLongreach({ env })
  call = await signInByHttp(longreach.url, owner)
  press = await newDevice('press')
  other = await newDevice('saw')
})
afterAll(() => longreach.stop())

async function newDevice(label: string) {
  const { deviceId, activationKey } = await makeDevice(call, 'main', label)
  const device = `platform/api/v1/organizations/main/devices/${deviceId}`
  return { deviceId, device, activationKey, paired: await pair(longreach.url, activationKey) }
}

type Frame = { ok: boolean; topic: string; reason?: string }
const refusedBy = async ({ device }: typeof press) =>
  (await call<Frame[]>('GET', `${device}/console`))
    .filter(({ ok }) => !ok)
    .map(({ reason = '' }) => reason)

const values = async ({ device }: typeof press) => {
  const range = new URLSearchParams({ since: new Date(0).toISOString() })
  const all = await call<{ data: [number, unknown][] }[]>('GET', `${device}/tags?${range}`)
  return all.flatMap(({ data }) => data.map(([, value]) => value))
}

test('a device that sends nonsense stays connected, nothing of it is stored, and its console says why [C-20]', async () => {
  await refusedBy(press) // from the first look on frames are kept
  const device = await connectDevice(press.paired)
  const leaf = async (tag: string) => (await device.leafOf(tag))?.mapping?.device_endpoint ?? ''
  const number = await leaf('tag.double')
  const raw = (payload: Buffer) =>
    device.client.publishAsync(`${device.root}${number}`, payload, { qos: 1 })
  const bad: [RegExp, () => Promise<unknown>][] = [
    [/BSON|malformed/, () => raw(Buffer.from(serialize({ v: 1 })).subarray(0, 9))],
    [/finite number/, () => device.send(number, NaN)],
    [/finite number/, () => device.send(number, 'warm')],
    [/characters|65536/, async () => device.send(await leaf('tag.string'), 'x'.repeat(1024 ** 2))],
    [/too long ago/, () => device.send(number, 1, new Date(Date.now() - 11 * 366 * day))],
    [/future/, () => device.send(number, 1, new Date(Date.now() + 2 * day))],
    [/no path|unknown/, () => device.send('/nothing/of/mine', 1)],
    [
      /not of this device/,
      () =>
        device.client.publishAsync(
          `${other.paired.realm}/${other.paired.logicalId}${number}`,
          Buffer.from(serialize({ v: 1, t: new Date() })),
          { qos: 1 },
        ),
    ],
  ]
  for (const [, send] of bad) await send()
  await device.send(number, 21.5)
  expect(device.client.connected).toBe(true)
  const reasons = await refusedBy(press)
  expect(reasons).toHaveLength(bad.length)
  for (const [index, [reason]] of bad.entries()) expect(reasons[index]).toMatch(reason)
  expect(await values(press)).toEqual([21.5])
  expect(await values(other)).toEqual([])
  await device.close()
})

/** A certificate with the name of a real device, of an authority that anybody can make. */
async function forged({ cert }: Paired) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const forger = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Longreach',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true)],
  })
  const made = await x509.X509CertificateGenerator.create({
    subject: new x509.X509Certificate(cert).subject,
    issuer: forger.subject,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: algorithm,
    notAfter: new Date(Date.now() + day),
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    cert: made.toString('pem'),
    key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'),
  }
}

test('a forged certificate, and none, do not get in; the real one does [C-20]', async () => {
  const attempt = (changed: Partial<Paired>) =>
    connectDevice({ ...press.paired, ...changed }, { connectTimeout: 20_000 })
  await expect(attempt(await forged(press.paired))).rejects.toThrow()
  await expect(attempt({ cert: '', key: '' })).rejects.toThrow()
  const real = await attempt({})
  await real.close()
})

test('a certificate for another device is not signed [C-20]', async () => {
  const query = new URLSearchParams({ activationKey: press.activationKey })
  const licence = await fetch(`${longreach.url}/pairing/api/v1/?${query}`)
  const { apiKey, platformPairingApiUrl } = (await licence.json()) as Record<string, string>
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    name: `CN=${other.deviceId}`,
    keys,
    signingAlgorithm: algorithm,
  })
  const ask = async (deviceId: string) => {
    const path = `devices/${deviceId}/protocols/corvina_mqtt_v1/credentials`
    const answer = await fetch(`${platformPairingApiUrl}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { csr: csr.toString('pem') } }),
    })
    return answer.status
  }
  expect(await ask(press.deviceId)).toBe(422)
  expect(await ask(other.deviceId)).toBe(401)
})

test('an unknown and a used-up key are refused with what to do [C-20]', async () => {
  await expect(pair(longreach.url, 'AAAA-AAAA-AAAA-AAAA')).rejects.toThrow(/404 .*issue one/)
  const { activationKey } = await call<{ activationKey: string }>(
    'POST',
    `${other.device}/activationKey`,
    { mostUses: 1 },
  )
  await pair(longreach.url, activationKey)
  await expect(pair(longreach.url, activationKey)).rejects.toThrow(/^409 /)
})

test('a device that is deleted is cut off, and its key is worth nothing [C-20]', async () => {
  const gone = await newDevice('gone')
  const device = await connectDevice(gone.paired)
  await call('DELETE', `mappings/api/v1/devices/${gone.deviceId}?organization=main`)
  await expect.poll(() => device.client.connected, patient).toBe(false)
  await expect(connectDevice(gone.paired)).rejects.toThrow()
  await expect(pair(longreach.url, gone.activationKey)).rejects.toThrow(/^4\d\d /)
})
