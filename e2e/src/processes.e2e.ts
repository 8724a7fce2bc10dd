import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { startNats } from '@longreach/kit/nats-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, makeDevice, signInByHttp, tokensByHttp } from './calls.ts'
import { connectDevice, pair, type Paired } from './device.ts'
import { openLive } from './live.ts'
import { type Longreach, startLongreach } from './longreach.ts'

// Several whole servers on one database, with a real NATS between them; one after the other goes.

const organization = 'plant'
const owner = { username: 'eva', password: 'a-long-enough-word', organization }
const closing: (() => Promise<unknown>)[] = []
let common: Record<string, string>
const servers: (Longreach & { own: string })[] = []

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
const folderOf = async (name: string) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), `longreach-${name}-`))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A server beside the others; `own` is its own address, where `url` is that of all. */
async function startServer(more: Record<string, string> = {}, port?: number) {
  const PORT = String(port ?? (await freePort()))
  const dataDir = await folderOf('process')
  const server = await startLongreach({ dataDir, env: { ...common, PORT, ...more } })
  servers.push({ ...server, own: `http://localhost:${PORT}` })
}

beforeAll(async () => {
  const postgres = await startPostgres({ dataDir: await folderOf('database') })
  closing.push(() => postgres.stop())
  const nats = await startNats()
  closing.push(() => nats.stop())
  const { host, user, database } = postgres.connection
  const port = await freePort()
  const [{ port: natsPort = 0 } = {}] = nats.settings.servers
  common = {
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    MASTER_KEY: '7'.repeat(64),
    PUBLIC_URL: `http://localhost:${port}`,
  }
  const { username, password } = owner
  const setup = { SETUP_USER: username, SETUP_PASSWORD: password, SETUP_ORGANIZATION: organization }
  await startServer(setup, port)
  await startServer()
  await startServer()
})
afterAll(async () => {
  for (const { stop } of servers) await stop()
  for (const close of closing.toReversed()) await close()
})

const at = (index: number) => {
  const server = servers[index]
  if (!server) throw new Error(`no server ${index}`)
  return server
}

/** The device connects to one of the servers, and reports what is written to it. */
async function connectTo(index: number, paired: Paired) {
  const device = await connectDevice({
    ...paired,
    broker: `mqtts://localhost:${at(index).mqttPort}`,
  })
  const { mapping = {} } = (await device.leafOf('tag.double')) ?? {}
  const { device_endpoint: own = '', server_endpoint: theirs = '' } = mapping
  await device.listen(theirs)
  let answered = 0
  device.client.on('message', () => {
    for (; answered < device.written.length; answered += 1)
      void device.send(own, device.written[answered]?.v)
  })
  let isOpen = true
  device.client.once('close', () => {
    isOpen = false
  })
  return { ...device, sendValue: (v: number) => device.send(own, v), isOpen: () => isOpen }
}

type Connections = { connected: boolean; connections: unknown[] }
type Written = { data: { status: string; value: unknown }[] }

test('devices are reached from every server, while others are killed and stopped [C-21]', async () => {
  const calls: Calls[] = []
  for (const { own } of servers) calls.push(await signInByHttp(own, owner))
  const [first, , third] = calls
  if (!first || !third) throw new Error('no calls')
  const { deviceId, activationKey, path: pathOf } = await makeDevice(first, organization, 'Press')
  const place = `platform/api/v1/organizations/${organization}/devices/${deviceId}`
  const connection = () => first<Connections>('GET', `${place}/connections`)
  const write = (call: Calls, v: number) =>
    call<Written>('POST', `${place}/tags`, {
      data: [{ modelPath: pathOf('double'), v }],
      timeoutMs: 30_000,
    })
  const staysConnected = async () => {
    const { connected, connections } = await connection()
    expect({ connected, times: connections.length }).toEqual({ connected: true, times: 1 })
  }

  const paired = await pair(at(0).own, activationKey)
  const second = await connectTo(1, paired)
  await expect.poll(async () => (await connection()).connected).toBe(true)

  // Written from the third, seen at the first, while the device is connected to the second.
  const { access_token: token } = await tokensByHttp(at(0).own, owner)
  const live = await openLive(at(0).own)
  live.send({ op: 'hello', token, organization })
  await live.next('ready')
  live.send({ op: 'sub', id: 1, kind: 'values', device: deviceId, path: pathOf('double') })
  await live.next('sub')
  const seen = async (v: number) => {
    for (;;) {
      const { v: rows } = (await live.next('values')) as unknown as { v: unknown[][] }
      if (rows.some((row) => row[3] === v)) return
    }
  }
  const { data } = await write(third, 21.5)
  expect(data).toMatchObject([{ status: 'confirmed', value: 21.5 }])
  await seen(21.5)

  await at(1).kill()
  await expect.poll(second.isOpen).toBe(false)
  const next = await connectTo(2, paired)
  await next.sendValue(22.5)
  await seen(22.5)
  await staysConnected()
  await expect.poll(() => write(first, 23.5)).toMatchObject({ data: [{ status: 'confirmed' }] })

  await at(2).stop()
  await expect.poll(next.isOpen).toBe(false)
  const last = await connectTo(0, paired)
  await last.sendValue(24.5)
  await seen(24.5)
  await staysConnected()
  live.ws.close()
  await last.close()
  await expect.poll(async () => (await connection()).connected).toBe(false)
})

test('a server that cannot reach the one that runs does not start, and says what to set', async () => {
  await expect(startServer({ NATS_URL: '' })).rejects.toThrow('Set NATS_URL')
})
