import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../../../services/platform/src/platform-testing.ts'
import { startAgent } from './agent.ts'
import { checkSettings } from './settings.ts'

// An agent ends when it is stopped, at any point of its communication with the platform.
const org = 'exor'
let platform: TestPlatform
let line: Line
let dataDir: string
beforeAll(async () => {
  platform = await testPlatform()
  line = await watchedLine(platform.site.origin)
  dataDir = await mkdtemp(path.join(tmpdir(), 'longreach-stopping-'))
})
afterAll(async () => {
  await line?.close()
  await platform?.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Event of a connection, in order: opened, or a piece of bytes in either direction. */
type Heard = (what: 'opened' | 'sent' | 'received') => void
type Line = Awaited<ReturnType<typeof watchedLine>>

/**
 * Proxy to the broker that reports each piece before it passes it on, and a pairing service that
 * sends agents to it.
 */
async function watchedLine(origin: string) {
  let heard: Heard = () => undefined
  let broker = 0
  const sockets = new Set<net.Socket>()
  const carrier = net.createServer((near) => {
    heard('opened')
    const far = net.connect(broker, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined) // its other end sees the close
      socket.on('close', () => sockets.delete(socket))
    }
    near.on('data', () => heard('sent'))
    far.on('data', () => heard('received'))
    near.pipe(far).on('close', () => near.destroy())
    far.pipe(near).on('close', () => far.destroy())
  })
  const pairing = http.createServer((asked, answer) => {
    void fetch(new URL(asked.url ?? '/', origin)).then(async (response) => {
      const text = await response.text()
      broker = Number(/corvina_mqtt_v1:\/\/[^:]+:(\d+)/.exec(text)?.[1] ?? broker)
      const told = text.replace(/(corvina_mqtt_v1:\/\/)[^"]+/, `$1localhost:${portOf(carrier)}`)
      answer.writeHead(response.status).end(told)
    })
  })
  for (const server of [carrier, pairing]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  return {
    endpoint: `http://127.0.0.1:${portOf(pairing)}`,
    hear(listener: Heard) {
      heard = listener
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      pairing.closeAllConnections()
      for (const server of [carrier, pairing]) {
        server.close()
        await once(server, 'close')
      }
    },
  }
}
const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port

async function activationKeyOfNew() {
  const deviceId = newDeviceId()
  const configuration = configurationText({ temperature: { type: 'double' } })
  const master = { label: deviceId, realm: 'exor', orgResourceId: org, groups: [], configuration }
  platform.register.devices.set(deviceId, master)
  const owner = platform.member('owner', org)
  const issued = await owner.issueActivationKey({ params: { org, deviceId }, body: {} })
  return issued.activationKey
}

const source = {
  type: 'modbus',
  host: '127.0.0.1',
  // Nothing listens there: the machine does not matter here.
  port: 1,
  tags: [{ name: 'temperature', area: 'input', address: 0 }],
}

/** Starts an agent and stops it at that event of its connection. */
async function stoppedAt(moment: number, activationKey: string) {
  const { endpoint } = line
  const settings = checkSettings({ activationKey, endpoint, dataDir, sources: [source] })
  const stopped = Promise.withResolvers<string>()
  let seen = 0
  line.hear((what) => {
    seen += 1
    if (seen !== moment) return
    line.hear(() => undefined)
    void agent.stop().then(() => stopped.resolve(what), stopped.reject)
  })
  const agent = startAgent(settings, pino({ level: 'silent' }))
  return stopped.promise
}

test('an agent that is told to stop while it connects stops, whatever came last', async () => {
  const activationKey = await activationKeyOfNew()
  const kinds = new Set<string>()
  // From the opening of the connection, over certificates and CONNECT, to the first messages.
  for (let moment = 1; moment <= 16; moment += 1) {
    kinds.add(await stoppedAt(moment, activationKey))
  }
  expect([...kinds].toSorted()).toEqual(['opened', 'received', 'sent'])
})
