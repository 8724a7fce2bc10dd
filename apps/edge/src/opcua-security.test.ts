import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { browseOpcua, opcuaEndpoints } from './browse-opcua.ts'
import { opcuaClient, opcuaServer } from './opcua-library.ts'
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
/** What the library's store of certificates can do, of which its types say less. */
type Certificates = {
  automaticallyAcceptUnknownCertificate: boolean
  trustCertificate: (certificate: Buffer) => Promise<unknown>
  rejectCertificate: (certificate: Buffer) => Promise<unknown>
}
let certificates: Certificates
let stop: () => Promise<unknown> = async () => undefined

/** A server that wants signatures, a known certificate, and `operator` with the password `secret`. */
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'longreach-secure-'))
  const client = await opcuaClient(dataDir, () => undefined)
  const library = await opcuaServer(dataDir)
  const { MessageSecurityMode, SecurityPolicy } = client
  const server = new library.OPCUAServer({
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
  certificates = server.serverCertificateManager as unknown as Certificates // see there
  certificates.automaticallyAcceptUnknownCertificate = false
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
  // Its administrator trusts the agent's certificate.
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
  const { endpoints, agentCertificate } = await opcuaEndpoints(url, { dataDir, log })
  expect(agentCertificate).toMatch(/^[0-9a-f]{64}$/)
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
  expect(steps.at(-1)).toMatchObject({ step: 'login', ok: false })
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

test('a security that the server does not offer is named before anybody signs in', async () => {
  const other = secured({ security: 'Sign', policy: 'Aes128_Sha256_RsaOaep' })
  const { steps } = await testSource(other, { dataDir, log })
  expect(steps.at(-1)).toMatchObject({ step: 'endpoints', ok: false })
  expect(steps.at(-1)?.detail).toContain('Sign Basic256Sha256')
})
