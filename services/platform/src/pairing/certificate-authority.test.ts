import 'reflect-metadata'
import tls from 'node:tls'
import { migrated } from '@longreach/kit/database'
import { createSecrets } from '@longreach/kit/secrets'
import { testDatabase } from '@longreach/kit/test-database'
import * as x509 from '@peculiar/x509'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuthorityDeps,
  loadAuthority,
  rotateAuthority,
  serverNames,
} from './certificate-authority.ts'
import { revokeCertificates } from './certificate-authority-store.ts'

const logicalId = '2WNJOs7r_bIV8JVZNp1ESw'
const device = { realm: 'exor', logicalId, askedFrom: '127.0.0.1' }
const day = 24 * 60 * 60 * 1000
let database: Awaited<ReturnType<typeof testDatabase>>
let deps: AuthorityDeps
let clock = Date.now()

beforeAll(async () => {
  database = await testDatabase()
  const db = await migrated(database.db, 'platform', new URL('../migrations/', import.meta.url))
  const secrets = createSecrets(Buffer.alloc(32, 7))
  deps = { db: db, secrets, now: () => new Date(clock) }
})
afterAll(() => database.close())

const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
}
const ec = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function request(name: string, algorithm: typeof rsa | typeof ec = ec) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: algorithm,
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { csr: csr.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
}

async function signedDevice(of = device) {
  const authority = await loadAuthority(deps)
  const { csr, key } = await request(`O=System, CN=${of.logicalId}`)
  const signed = await authority.signDevice(csr, of)
  if (!signed.ok) throw new Error(signed.reason)
  return { key, cert: signed.certificate }
}

/** A TLS server with our certificate; answers what each side thought of the other. */
async function handshake(server: tls.TlsOptions, client: tls.ConnectionOptions) {
  const listener = tls.createServer({ ...server, requestCert: true, rejectUnauthorized: true })
  const seen = new Promise<string>((resolve) => {
    listener.on('secureConnection', (socket) =>
      resolve(socket.getPeerCertificate().subject.CN as string),
    )
    listener.on('tlsClientError', (error) => resolve(error.message))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ...client })
  const trusted = new Promise<string>((resolve) => {
    socket.on('secureConnect', () => resolve('trusted'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
  const result = { server: await trusted, client: await seen }
  socket.destroy()
  await new Promise((resolve) => listener.close(resolve))
  return result
}

test('the authority is made once, also by two who start together, and its key is sealed', async () => {
  const [one, other] = await Promise.all([loadAuthority(deps), loadAuthority(deps)])
  expect(one.caPem()).toBe(other.caPem())
  const rows = await deps.db.selectFrom('certificate_authority').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]!.sealed_key.toString('latin1')).not.toContain('PRIVATE')
  await expect(
    crypto.subtle.importKey('pkcs8', new Uint8Array(rows[0]!.sealed_key), ec, false, ['sign']),
  ).rejects.toThrow()
})

test.each([
  ['RSA 2048', rsa],
  ['EC P-256', ec],
])('a request with an %s key gets the name realm/id and keeps its O', async (_, algorithm) => {
  const authority = await loadAuthority(deps)
  const { csr } = await request(`O=System, CN=${logicalId}`, algorithm)
  const signed = await authority.signDevice(csr, device)
  if (!signed.ok) throw new Error(signed.reason)
  const certificate = new x509.X509Certificate(signed.certificate)
  expect(certificate.subjectName.toJSON()).toEqual([
    { O: ['System'] },
    { CN: [`exor/${logicalId}`] },
  ])
  expect(certificate.signatureAlgorithm).toMatchObject({ name: 'ECDSA', hash: { name: 'SHA-256' } })
  expect(await authority.verify(signed.certificate)).toMatchObject({
    valid: true,
    realm: 'exor',
    logicalId,
  })
})

test('a request for another device, with a weak key or damaged is not signed', async () => {
  const authority = await loadAuthority(deps)
  const refusedFor = async (csr: string) => {
    const answer = await authority.signDevice(csr, device)
    return answer.ok ? 'signed' : answer.cause
  }
  expect(await refusedFor((await request('CN=AAAAAAAAAAAAAAAAAAAAAA')).csr)).toBe('other_device')
  expect(await refusedFor((await request(`CN=other/${logicalId}`)).csr)).toBe('other_device')
  const weak = { ...rsa, modulusLength: 1024 }
  expect(await refusedFor((await request(`CN=${logicalId}`, weak)).csr)).toBe('malformed')
  expect(await refusedFor('nonsense')).toBe('malformed')
  const { csr } = await request(`CN=${logicalId}`)
  const bytes = Buffer.from(x509.PemConverter.decodeFirst(csr))
  bytes[bytes.length - 5]! ^= 1
  expect(await refusedFor(x509.PemConverter.encode(bytes, 'CERTIFICATE REQUEST'))).toBe('malformed')
})

test('a device and the server trust each other over TLS', async () => {
  const authority = await loadAuthority(deps)
  const server = await authority.serverCertificate(serverNames('http://portal.test'))
  const tlsServer = { ...server, ca: authority.trusted() }
  const good = await signedDevice()
  const ca = authority.caPem()
  expect(await handshake(tlsServer, { ...good, ca })).toEqual({
    server: 'trusted',
    client: `exor/${logicalId}`,
  })
  const byName = { ...good, ca, servername: 'portal.test' }
  expect((await handshake(tlsServer, byName)).server).toBe('trusted')
})

test('a forged, foreign, expired or revoked certificate is refused with its cause', async () => {
  const authority = await loadAuthority(deps)
  const keys = await crypto.subtle.generateKey(ec, true, ['sign', 'verify'])
  const real = new x509.X509Certificate(authority.trusted()[0]!)
  const forged = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [`exor/${logicalId}`] }],
    issuer: real.subject,
    signingKey: keys.privateKey,
    publicKey: keys.publicKey,
    signingAlgorithm: ec,
    notAfter: new Date(clock + day),
  })
  const pem = forged.toString('pem')
  expect(await authority.verify(pem)).toMatchObject({ cause: 'unknown_issuer' })
  expect(await authority.verify('text')).toMatchObject({ cause: 'not_a_certificate' })
  const own = await authority.serverCertificate(['localhost'])
  expect(await authority.verify(own.cert)).toMatchObject({ cause: 'unknown' })

  const server = { ...own, ca: authority.trusted() }
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  )
  const { client } = await handshake(server, { key, cert: pem, ca: authority.caPem() })
  expect(client).not.toBe(`exor/${logicalId}`)

  const mine = await signedDevice({ ...device, logicalId: 'CCCCCCCCCCCCCCCCCCCCCC' })
  clock += 400 * day
  expect(await authority.verify(mine.cert)).toMatchObject({ cause: 'expired' })
  clock -= 402 * day
  expect(await authority.verify(mine.cert)).toMatchObject({ cause: 'not_yet_valid' })
  clock += 2 * day
  expect(await authority.verify(mine.cert)).toMatchObject({ valid: true })
  await revokeCertificates(deps.db, 'CCCCCCCCCCCCCCCCCCCCCC', deps.now())
  expect(await authority.verify(mine.cert)).toMatchObject({ cause: 'revoked' })
})

test('after a rotation old devices still connect, and the old authority dies with its last certificate', async () => {
  const authority = await loadAuthority(deps)
  const oldCa = authority.caPem()
  const old = await signedDevice({ ...device, logicalId: 'DDDDDDDDDDDDDDDDDDDDDD' })
  for (let turn = 0; turn < 2; turn++) {
    await deps.db.transaction().execute((tx) => rotateAuthority(tx, deps))
  }
  await authority.refresh()
  const server = { ...(await authority.serverCertificate(['localhost'])), ca: authority.trusted() }
  expect(await authority.verify(old.cert)).toMatchObject({ valid: true })
  const fresh = await signedDevice()
  expect(new x509.X509Certificate(fresh.cert).issuer).not.toBe(
    new x509.X509Certificate(old.cert).issuer,
  )
  for (const [client, ca] of [
    [old, oldCa],
    [fresh, oldCa],
    [fresh, authority.trusted()[0]!],
  ] as const) {
    expect((await handshake(server, { ...client, ca })).server).toBe('trusted')
  }
  expect(authority.trusted()).toHaveLength(2)
  clock += 366 * day
  await authority.refresh()
  expect(authority.trusted()).toHaveLength(1)
  clock -= 366 * day
})
