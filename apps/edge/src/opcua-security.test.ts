import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { browseOpcua, opcuaEndpoints } from './browse-opcua.ts'
import { certificateStore, opcuaClient, opcuaServer } from './opcua-library.ts'
import { opcuaClientFor } from './opcua-session.ts'
import { opcuaSource } from './source-opcua.ts'
import { type OpcuaSettings, SourceConnection } from './source-settings.ts'
import { createTagTable } from './tags.ts'
import { testSource } from './test-source.ts'

const poll = { timeout: 60_000, interval: 50 }
const ends: (() => Promise<unknown>)[] = []
const log = pino({ level: 'silent' })
let dataDir = ''
let url = ''
let certificates: Awaited<ReturnType<typeof certificateStore>>
let stop: () => Promise<unknown> = async () => undefined

/**
 * Starts a server that requires signatures, a known certificate, and `operator` with the password
 * `secret`.
 */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'longreach-secure-'))
  const client = await opcuaClient(() => undefined)
  const library = await opcuaServer()
  const { MessageSecurityMode, SecurityPolicy } = client
  certificates = await certificateStore(dataDir, 'pki-server')
  const server = new library.OPCUAServer({
    serverCertificateManager: certificates,
    userCertificateManager: await certificateStore(dataDir, 'pki-users'),
    port: 0,
    host: '127.0.0.1',
    hostname: '127.0.0.1',
    allowAnonymous: false,
    securityModes: [
      MessageSecurityMode.None,
      MessageSecurityMode.Sign,
      MessageSecurityMode.SignAndEncrypt,
    ],
    securityPolicies: [
      SecurityPolicy.None,
      SecurityPolicy.Basic256Sha256,
      SecurityPolicy.Aes256_Sha256_RsaPss,
    ],
    disableDiscovery: true,
    userManager: {
      isValidUser: (user: string, password: string) => user === 'operator' && password === 'secret',
    },
  })
  await server.initialize()
  const space = server.engine.addressSpace
  if (!space) throw new Error('the OPC UA server has no address space')
  let speed = 50
  const { Variant, DataType, StatusCodes } = client
  space.getOwnNamespace().addVariable({
    organizedBy: space.rootFolder.objects,
    browseName: 'Speed',
    nodeId: 's=Speed',
    dataType: 'Double',
    value: {
      get: () => new Variant({ dataType: DataType.Double, value: speed }),
      set: ({ value }: { value: unknown }) => {
        speed = Number(value)
        return StatusCodes.Good
      },
    },
  })
  await server.start()
  url = `opc.tcp://127.0.0.1:${server.endpoints[0]?.port}`
  stop = () => server.shutdown(0)
  // The test's administrator trusts the agent's certificate.
  const settings = secured({})
  const { client: own } = await opcuaClientFor(settings, { dataDir, tell: () => undefined })
  await certificates.trustCertificate(own.getCertificate())
  await own.disconnect()
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
afterAll(async () => {
  await stop()
  await rm(dataDir, { recursive: true, force: true })
})

const user = { username: 'operator', password: 'secret' }
const secured = (more: object) =>
  SourceConnection.parse({
    type: 'opcua',
    url: url || 'opc.tcp://127.0.0.1:1',
    samplingMs: 100,
    ...more,
  }) as OpcuaSettings

const modes: [string, object][] = [
  ['Sign', { security: 'Sign' }],
  ['SignAndEncrypt', { security: 'SignAndEncrypt' }],
  ['SignAndEncrypt Aes256', { security: 'SignAndEncrypt', policy: 'Aes256_Sha256_RsaPss' }],
]
test.each(modes)(
  'values are read and written over %s with user and password',
  async (_, security) => {
    const tags = [{ name: 'speed', node: 'ns=1;s=Speed', writable: true }]
    const source = opcuaSource(secured({ ...security, ...user, tags }), { log, dataDir })
    const table = createTagTable()
    source.start((readings) => table.accept(readings))
    ends.push(source.stop)
    await expect.poll(() => table.value('speed'), poll).toBeTypeOf('number')
    expect(await source.write('speed', 61)).toBe(61)
  },
)

test('endpoints are listed with policies, modes and sign-in, the strongest first', async () => {
  const { endpoints, agentCertificate, agentCertificatePem } = await opcuaEndpoints(url, {
    dataDir,
    log,
  })
  expect(agentCertificate).toMatch(/^[0-9a-f]{64}$/)
  const { fingerprint256 } = new X509Certificate(agentCertificatePem)
  expect(fingerprint256.replaceAll(':', '').toLowerCase()).toBe(agentCertificate)
  const offered = endpoints.map(({ security, policy }) => `${security} ${policy}`)
  expect(offered).toContain('None None')
  expect(offered).toContain('Sign Basic256Sha256')
  expect(offered[0]).toContain('SignAndEncrypt')
  expect(endpoints[0]?.users).toContain('UserName')
  expect(endpoints[0]?.serverCertificate).toMatch(/^[0-9a-f]{64}$/)
})

test('a wrong password is told as such, and its step is named', async () => {
  const wrong = secured({ security: 'Sign', username: 'operator', password: 'guess' })
  const { steps } = await testSource(wrong, { dataDir, log })
  expect(steps.at(-1)).toMatchObject({ step: 'login', ok: false, code: 'login.refused' })
  expect(steps.at(-1)?.detail).toContain('does not accept this user and password')
})

test('a server whose certificate is another than the trusted one gets no password', async () => {
  const { endpoints } = await opcuaEndpoints(url, { dataDir, log })
  const known = endpoints.find(({ security }) => security === 'Sign')?.serverCertificate ?? ''
  const trusting = (serverCertificate: string) =>
    browseOpcua(secured({ security: 'Sign', ...user, serverCertificate }), undefined, {
      dataDir,
      log,
    })
  expect((await trusting(known)).nodes.map(({ name }) => name)).toContain('Speed')
  await expect(trusting('0'.repeat(64))).rejects.toThrow('and not the trusted')
})

test('a server that does not trust the agent says which certificate to trust', async () => {
  const stranger = await mkdtemp(path.join(tmpdir(), 'longreach-stranger-'))
  ends.push(() => rm(stranger, { recursive: true, force: true }))
  const { client } = await opcuaClientFor(secured({}), { dataDir, tell: () => undefined })
  const own = client.getCertificate()
  await client.disconnect()
  await certificates.rejectCertificate(own)
  const asked = browseOpcua(secured({ security: 'Sign', ...user }), undefined, { dataDir, log })
  await expect(asked).rejects.toThrow("does not trust the agent's certificate")
  await certificates.trustCertificate(own)
})

test('a server that ends the line while the secure channel is opened may not trust the agent', async () => {
  const real = Number(new URL(url.replace('opc.tcp', 'http')).port)
  let closed = 0
  const proxy = createServer((client) => {
    const server = connect(real, '127.0.0.1')
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
    server.pipe(client)
    client.on('data', (data: Buffer) => {
      const secure = data.includes('OPN') && data.includes('SecurityPolicy#Basic256Sha256')
      if (!secure) return void server.write(data)
      closed += 1
      client.destroy()
    })
    client.on('close', () => server.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  ends.push(async () => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  const { agentCertificate } = await opcuaEndpoints(url, { dataDir, log })
  const closing = secured({ security: 'Sign', ...user, url: `opc.tcp://127.0.0.1:${port}` })
  await expect(browseOpcua(closing, undefined, { dataDir, log })).rejects.toThrow(
    `does not trust the agent's certificate; move ${agentCertificate} to its trusted ones`,
  )
  expect(closed).toBeGreaterThan(0)
})

test('key, certificate and trusted servers are below the data folder, and nothing below HOME', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'longreach-home-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const [home, data] = [path.join(folder, 'home'), path.join(folder, 'data')]
  await Promise.all([mkdir(home), mkdir(data)])
  const module = new URL('./browse-opcua.ts', import.meta.url).href
  const program = `const { opcuaEndpoints } = await import(${JSON.stringify(module)})
    const log = { debug() {}, info() {}, warn() {} }
    await opcuaEndpoints(${JSON.stringify(url)}, { log, dataDir: ${JSON.stringify(data)} })
    process.exit()`
  const { HOME: _, XDG_CONFIG_HOME: __, ...env } = process.env
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...env, HOME: home },
  })
  expect(await readdir(home)).toEqual([])
  expect(await readdir(path.join(data, 'pki/own/certs'))).toContain('client_certificate.pem')
})

test('a security that the server does not offer is named before anybody signs in', async () => {
  const other = secured({ security: 'Sign', policy: 'Aes128_Sha256_RsaOaep' })
  const { steps } = await testSource(other, { dataDir, log })
  expect(steps.at(-1)).toMatchObject({ step: 'endpoints', ok: false, code: 'endpoints.missing' })
  expect(steps.at(-1)?.detail).toContain('Sign Basic256Sha256')
})
