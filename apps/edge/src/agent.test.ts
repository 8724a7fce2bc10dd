import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../../../services/platform/src/platform-testing.ts'
import { startAgent } from './agent.ts'
import { type OvenServer, startOven } from './plant-oven-server.ts'
import { checkSettings } from './settings.ts'

const org = 'exor'
const poll = { timeout: 60_000, interval: 50 }
const ends: (() => Promise<unknown>)[] = []
let platform: TestPlatform
let oven: OvenServer

beforeAll(async () => {
  platform = await testPlatform()
  oven = await startOven({ port: 0, host: '127.0.0.1', seed: 1, speed: 1 })
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
afterAll(async () => {
  await oven.close()
  await platform.close()
})

const leaves = {
  temperature: { type: 'double' },
  setPoint: { type: 'double', mode: 'RW' },
  products: { type: 'integer' },
} as const

async function folder() {
  const dir = await mkdtemp(path.join(tmpdir(), 'longreach-agent-'))
  ends.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Waits until the agent has added to its outbox this many times. */
async function kept(dir: string, times: number) {
  const sizes = new Set<number>()
  const bytes = async () => {
    const names = (await readdir(dir, { recursive: true })).filter((name) =>
      name.includes('outbox/'),
    )
    const all = await Promise.all(names.map((name) => stat(path.join(dir, name))))
    return all.reduce((sum, { size }) => sum + size, 0)
  }
  await expect.poll(async () => sizes.add(await bytes()).size, poll).toBeGreaterThan(times)
}

async function device(configuration: string | null = configurationText(leaves)) {
  const deviceId = newDeviceId()
  const master = { label: deviceId, realm: 'exor', orgResourceId: org, groups: [], configuration }
  platform.register.devices.set(deviceId, master)
  const owner = platform.member('owner', org)
  const { activationKey } = await owner.issueActivationKey({ params: { org, deviceId }, body: {} })
  const params = { org, deviceId }
  return {
    deviceId,
    activationKey,
    values: async (modelPath: string) => {
      const query = { modelPath, since: Date.now() - 3_600_000 }
      const [series] = await owner.tags({ params, query })
      return (series?.data ?? []) as [number, number][]
    },
    availableTags: () => owner.availableTags({ params }),
    status: () => owner.configuration({ params }),
    write: (path: string, v: number) =>
      owner.writeTags({ params, body: { data: [{ modelPath: `Probe:1/${path}`, v }] } }),
  }
}

type Lines = string[]

/** Agent that reads the oven; `tell` collects its log. */
function agentFor(activationKey: string, dataDir: string, endpoint = platform.site.origin) {
  const told: Lines = []
  const log = pino({ level: 'info' }, { write: (line) => void told.push(line) })
  const source = {
    type: 'modbus',
    host: '127.0.0.1',
    port: oven.port,
    pollMs: 100,
    tags: [
      { name: 'temperature', area: 'input', address: 0, type: 'int16', scale: 0.1 },
      { name: 'setPoint', area: 'holding', address: 0, scale: 0.1, writable: true },
      { name: 'products', area: 'input', address: 7, type: 'uint32' },
    ],
  }
  const agent = startAgent(
    checkSettings({ activationKey, endpoint, dataDir, sources: [source] }),
    log,
  )
  let stopped = false
  const stop = async () => {
    if (!stopped) await agent.stop()
    stopped = true
  }
  ends.push(stop)
  return { stop, told }
}

/**
 * Proxy to the broker whose connections can be cut, and a pairing service that sends devices to it.
 */
async function cuttableLine() {
  let sockets: net.Socket[] = []
  let whole = true
  const brokerPort = Promise.withResolvers<number>()
  const line = net.createServer((near) => {
    if (!whole) return near.destroy()
    void brokerPort.promise.then((port) => {
      const far = net.connect(port, '127.0.0.1')
      sockets.push(near, far)
      for (const socket of [near, far]) socket.on('error', () => undefined) // its other end sees the close
      near.pipe(far).on('close', () => near.destroy())
      far.pipe(near).on('close', () => far.destroy())
      return far
    })
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const { port } = line.address() as net.AddressInfo
  const pairing = http.createServer((asked, answer) => {
    if (!whole) return asked.socket.destroy()
    void fetch(new URL(asked.url ?? '/', platform.site.origin)).then(async (response) => {
      const text = await response.text()
      const broker = /corvina_mqtt_v1:\/\/[^:]+:(\d+)/.exec(text)
      if (broker) brokerPort.resolve(Number(broker[1]))
      answer.writeHead(response.status)
      answer.end(text.replace(/(corvina_mqtt_v1:\/\/)[^"]+/, `$1localhost:${port}`))
    })
    return answer
  })
  await new Promise<void>((resolve) => pairing.listen(0, '127.0.0.1', resolve))
  const address = pairing.address() as net.AddressInfo
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    line.close()
    pairing.closeAllConnections()
    pairing.close()
  })
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    cut() {
      whole = false
      for (const socket of sockets) socket.destroy()
      sockets = []
    },
    mend() {
      whole = true
    },
  }
}

test('a fresh agent pairs, takes its configuration and the first values land [C-20][C-22 in part]', async () => {
  const { activationKey, values, availableTags, status } = await device()
  agentFor(activationKey, await folder())
  await expect.poll(() => values('Probe:1/setPoint').then((all) => all.at(-1)?.[1]), poll).toBe(180)
  await expect.poll(() => status().then(({ applied }) => applied), poll).toBe(true)
  const announced = await availableTags()
  const names = announced.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['temperature', 'setPoint', 'agent.dropped']))
  const writable = announced.filter((tag) => tag['writable'] === true).map(({ name }) => name)
  expect(writable).toEqual(['setPoint'])
})

test('a value written at the platform changes the register and comes back as confirmed', async () => {
  const { activationKey, values, write } = await device()
  agentFor(activationKey, await folder())
  await expect
    .poll(() => values('Probe:1/setPoint').then((all) => all.length), poll)
    .toBeGreaterThan(0)
  const { data } = await write('setPoint', 187.5)
  expect(data[0]).toMatchObject({ status: 'confirmed', value: 187.5 })
  expect(oven.oven.zones[0].setPoint).toBe(187.5)
  const refused = await write('setPoint', 5_000)
  expect(refused.data[0]).toMatchObject({ value: 187.5 })
  await write('setPoint', 180)
})

test('an agent without a preset advertises its tags and sends nothing', async () => {
  const { activationKey, deviceId, availableTags, values } = await device(null)
  agentFor(activationKey, await folder())
  await expect.poll(() => availableTags().then((tags) => tags.length), poll).toBeGreaterThan(3)
  expect(await values('**')).toEqual([])
  await platform.change(deviceId, { configuration: configurationText(leaves) })
  await platform.settle()
  await expect
    .poll(() => values('Probe:1/temperature').then((all) => all.length), poll)
    .toBeGreaterThan(0)
})

test('what is measured while the platform is away arrives afterwards, in order and without a gap', async () => {
  const line = await cuttableLine()
  const { activationKey, values } = await device(
    configurationText(leaves).replaceAll(
      '"minIntervalMs":1000',
      '"minIntervalMs":0,"changeMask":"timestamp"',
    ),
  )
  const dir = await folder()
  const { told } = agentFor(activationKey, dir, line.endpoint)
  await expect
    .poll(() => values('Probe:1/temperature').then((all) => all.length), poll)
    .toBeGreaterThan(3)
  const cutAt = Date.now()
  line.cut()
  await expect.poll(() => told.some((one) => one.includes('not connected')), poll).toBe(true)
  await kept(dir, 12)
  const mendedAt = Date.now()
  line.mend()
  await expect
    .poll(() => values('Probe:1/temperature').then((all) => all.some(([t]) => t > mendedAt)), poll)
    .toBe(true)
  const times = (await values('Probe:1/temperature')).map(([t]) => t)
  expect(times.filter((t) => t > cutAt && t < mendedAt).length).toBeGreaterThan(3)
  const gaps = times.slice(1).map((t, index) => t - (times[index] ?? t))
  expect(Math.min(...gaps)).toBeGreaterThan(0)
})

test('an agent that starts while the platform is away keeps values by the configuration it knows', async () => {
  const line = await cuttableLine()
  const dir = await folder()
  const { activationKey, values } = await device()
  const first = agentFor(activationKey, dir, line.endpoint)
  await expect
    .poll(() => values('Probe:1/temperature').then((all) => all.length), poll)
    .toBeGreaterThan(0)
  await first.stop()
  line.cut()
  const startedAt = Date.now()
  const second = agentFor(activationKey, dir, line.endpoint)
  await expect.poll(() => second.told.some((one) => one.includes('not connected')), poll).toBe(true)
  await kept(dir, 3)
  await second.stop()
  const stoppedAt = Date.now()
  line.mend()
  agentFor(activationKey, dir, line.endpoint)
  await expect
    .poll(
      () =>
        values('Probe:1/setPoint').then((all) =>
          all.some(([t]) => t >= startedAt - 1 && t <= stoppedAt),
        ),
      poll,
    )
    .toBe(true)
})

test('a wrong key and a platform that is away are told clearly, and never in full', async () => {
  const wrong = agentFor('0000-1111-2222-3333', await folder())
  await expect
    .poll(() => wrong.told.join(''), poll)
    .toContain('does not accept this activation key')
  expect(wrong.told.join('')).not.toContain('0000-1111-2222-3333')
  const away = agentFor('0000-1111-2222-3333', await folder(), 'http://127.0.0.1:9')
  await expect.poll(() => away.told.join(''), poll).toContain('cannot be reached')
})

test('a platform whose authority is another than the pinned one is not trusted', async () => {
  const { activationKey } = await device()
  const other = await testPlatform()
  ends.push(() => other.close())
  const dir = await folder()
  const foreign = await (await fetch(`${other.site.origin}/pairing/ca.crt`)).text()
  await writeFile(path.join(dir, 'ca.crt'), foreign)
  const { told } = agentFor(activationKey, dir)
  await expect.poll(() => told.join(''), poll).toMatch(/not connected.*certificate/)
  expect(await readdir(dir)).toContain('ca.crt')
})

test('the program with a key and an endpoint alone publishes host metrics, after kill -9 too', async () => {
  const metrics = { 'host.memory.used': { type: 'double' } } as const
  const { activationKey, values } = await device(configurationText(metrics))
  const dir = await folder()
  const start = () => {
    const main = path.join(import.meta.dirname, 'main.ts')
    const where = ['--endpoint', platform.site.origin, '--data-dir', dir]
    const child = spawn(process.execPath, [main, '--activation-key', activationKey, ...where])
    ends.push(async () => child.kill('SIGKILL'))
    const lines: string[] = []
    createInterface(child.stdout).on('line', (line) => lines.push(line))
    return { child, lines }
  }
  const count = () => values('Probe:1/host.memory.used').then((all) => all.length)
  const first = start()
  await expect.poll(count, poll).toBeGreaterThan(0)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const before = await count()
  const second = start()
  await expect.poll(count, poll).toBeGreaterThan(before)
  expect(second.lines.join('')).not.toContain(activationKey)
  second.child.kill('SIGTERM')
  const [code] = await once(second.child, 'exit')
  expect(code).toBe(0)
})
