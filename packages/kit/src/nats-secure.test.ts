import 'reflect-metadata'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import * as x509 from '@peculiar/x509'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createFabric, type Fabric } from './fabric.ts'
import { defineSubject } from './fabric-contract.ts'
import { keptLog } from './fabric-testing.ts'
import type { NatsSettings } from './nats-settings.ts'
import { startNats } from './nats-testing.ts'
import { openNatsWire } from './nats-wire.ts'

const double = defineSubject({ subject: 'double', request: z.number(), reply: z.number() })
type Given = Omit<NatsSettings, 'servers'> & { host?: string }

let folder: string
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-nats-secure-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))
async function fileOf(name: string, text: string) {
  const file = path.join(folder, name)
  await writeFile(file, text, { mode: 0o600 })
  return file
}

async function startServer(config: string) {
  const nats = await startNats({ config })
  onTestFinished(() => nats.stop())
  const [{ server }] = nats.servers as [(typeof nats.servers)[number]]
  const start = async ({ host = server.host, ...given }: Given) => {
    const { log, entries } = keptLog()
    const settings = { ...given, servers: [{ ...server, host }] }
    const wire = await openNatsWire({ settings, instance: 'one', log })
    const fabric = createFabric({ instance: 'one', log, wire })
    onTestFinished(() => fabric.close())
    return { fabric, entries }
  }
  return {
    start,
    /** Result of a call between two processes with these settings. */
    async result(given: Given) {
      const [one, two] = [await start(given), await start(given)]
      two.fabric.answer(double, (n) => n * 2)
      await two.fabric.subscribed()
      return { result: await outcome(one.fabric), log: one.entries.join('\n') }
    },
  }
}
const outcome = (fabric: Fabric) =>
  fabric.call(double, 21, { deadlineMs: 60_000 }).catch((error: unknown) => error)
const refused = (why: RegExp) => ({
  result: expect.objectContaining({ cause: 'away' }) as unknown,
  log: expect.stringMatching(why) as unknown,
})

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
async function authorityOf(name: string) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const common = { signingAlgorithm: algorithm, notAfter: new Date(Date.now() + 86_400_000) }
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    name: `CN=${name}`,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  })
  return {
    caFile: await fileOf(`${name}-ca.pem`, own.toString('pem')),
    async sign(subject: string, names: string[]) {
      const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
      const alternative = names.map((value) => ({
        type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const),
        value,
      }))
      const signed = await x509.X509CertificateGenerator.create({
        ...common,
        subject: `CN=${subject}`,
        issuer: own.subject,
        publicKey: pair.publicKey,
        signingKey: keys.privateKey,
        extensions: [new x509.SubjectAlternativeNameExtension(alternative)],
      })
      const key = await crypto.subtle.exportKey('pkcs8', pair.privateKey)
      return {
        certFile: await fileOf(`${subject}.pem`, signed.toString('pem')),
        keyFile: await fileOf(`${subject}.key`, x509.PemConverter.encode(key, 'PRIVATE KEY')),
      }
    },
  }
}

test('TLS: both sides show certificates of the authority that is named', async () => {
  const authority = await authorityOf('own')
  const other = await authorityOf('other')
  const own = await authority.sign('server', ['localhost', '127.0.0.1'])
  const client = await authority.sign('client', [])
  const { result } = await startServer(
    `tls { cert_file: "${own.certFile}", key_file: "${own.keyFile}", ca_file: "${authority.caFile}", verify: true }`,
  )
  const { caFile } = authority
  expect(await result({ tls: { caFile, ...client } })).toEqual({ result: 42, log: '' })
  expect(await result({ tls: { caFile, ...client }, host: 'localhost' })).toMatchObject({
    result: 42,
  })
  expect(await result({ tls: { caFile } })).toEqual(refused(/NATS cannot be reached/))
  const strange = { caFile: other.caFile, ...client }
  expect(await result({ tls: strange })).toEqual(refused(/certificate/))
  const lost = { caFile: path.join(folder, 'lost.pem') }
  expect(await result({ tls: lost })).toEqual(refused(/lost\.pem doesn't exist/))
})

test('TLS: a certificate of another host is refused, and so is a server without TLS', async () => {
  const authority = await authorityOf('own')
  const { caFile } = authority
  const own = await authority.sign('elsewhere', ['nats.example.org'])
  const { result } = await startServer(
    `tls { cert_file: "${own.certFile}", key_file: "${own.keyFile}" }`,
  )
  expect(await result({ tls: { caFile } })).toEqual(refused(/does not match|not in the cert/))
  expect(await result({ tls: { caFile }, host: 'localhost' })).toEqual(refused(/does not match/))
  const plain = await startServer('')
  expect(await plain.result({ tls: { caFile } })).toEqual(refused(/does not support 'tls'/))
})

test('user and password, whose rights may end at the prefix of the installation', async () => {
  const { result } = await startServer(
    `authorization { users: [{ user: "lr", password: "p@ss", permissions: {
      publish: "lr.one.>", subscribe: "lr.one.>" } }] }`,
  )
  expect(await result({ user: { name: 'lr', password: 'p@ss' } })).toEqual({ result: 42, log: '' })
  const wrong = await result({ user: { name: 'lr', password: 'secret' } })
  expect(wrong).toEqual(refused(/Authorization Violation/))
  expect(wrong.log).not.toContain('secret')
  const foreign = await startServer(
    'authorization { users: [{ user: "lr", password: "p", permissions: { publish: "lr.two.>" } }] }',
  )
  const { log } = await foreign.result({ user: { name: 'lr', password: 'p' } })
  expect(log).toMatch(/NATS refused something.*Permissions Violation/)
})

test('a token', async () => {
  const { result } = await startServer('authorization { token: "t0ken" }')
  expect(await result({ user: { name: 't0ken' } })).toMatchObject({ result: 42 })
})

test('the seed of an nkey', async () => {
  const user = nkeys.createUser()
  const { result } = await startServer(
    `authorization { users: [{ nkey: "${user.getPublicKey()}" }] }`,
  )
  const seed = Buffer.from(user.getSeed()).toString()
  expect(await result({ credsFile: await fileOf('nkey', `${seed}\n`) })).toMatchObject({
    result: 42,
  })
  const other = Buffer.from(nkeys.createUser().getSeed()).toString()
  const wrong = await result({ credsFile: await fileOf('other-nkey', other) })
  expect(wrong).toEqual(refused(/Authorization Violation/))
  expect(await result({ credsFile: path.join(folder, 'lost') })).toEqual(refused(/ENOENT.*lost/))
})

type Pair = ReturnType<typeof nkeys.createUser>
/** Signed claims as nats-server takes them. */
function jwtOf(issuer: Pair, subject: Pair, nats: Record<string, unknown>) {
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    nats: { ...nats, version: 2 },
  }
  const signed = `${text({ typ: 'JWT', alg: 'ed25519-nkey' })}.${text(claims)}`
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
}

test('a .creds file, renewed while the process runs', async () => {
  const [operator, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ]
  const most = { subs: -1, data: -1, payload: -1 }
  const limits = { ...most, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }
  const { start } = await startServer(
    `operator: ${jwtOf(operator, operator, { type: 'operator' })}
    resolver: MEMORY
    resolver_preload { ${account.getPublicKey()}: ${jwtOf(operator, account, { type: 'account', limits })} }`,
  )
  const creds = [
    '-----BEGIN NATS USER JWT-----',
    jwtOf(account, user, { type: 'user', ...most }),
    '------END NATS USER JWT------',
    '',
    '-----BEGIN USER NKEY SEED-----',
    Buffer.from(user.getSeed()).toString(),
    '------END USER NKEY SEED------',
    '',
  ].join('\n')
  const credsFile = await fileOf('user.creds', '-----BEGIN NATS USER JWT-----')
  const [one, two] = [await start({ credsFile }), await start({ credsFile })]
  two.fabric.answer(double, (n) => n * 2)
  expect(one.entries).toContainEqual(expect.stringContaining('unable to parse credentials'))
  await fileOf('user.creds', creds)
  await expect.poll(() => outcome(one.fabric)).toBe(42)
})
