import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import {
  makeAuthority,
  serverCertificateOf,
} from '../services/platform/src/pairing/certificate-authority-x509.ts'
import { clientFiles } from '../services/platform/src/mqtt/mqtt-testing.ts'
import { newDeviceId } from '../services/platform/src/platform-testing.ts'
import type { Load } from './mqtt/load.ts'
import { ours } from './mqtt/server.ts'
import { argument, figure, type Line, print, say } from './report.ts'

// npm run bench -- mqtt [--messages=300000] [--most=1000] [--least=1] [--rounds=3]
const total = argument('messages', 300_000)
const most = argument('most', 1_000)
const least = argument('least', 1)
const rounds = argument('rounds', 3)
const mosquittoPath = '/usr/sbin/mosquitto'

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const authority = await makeAuthority('bench', new Date())
const server = await serverCertificateOf(authority, ['localhost', '127.0.0.1'], new Date())
const tls = {
  key: server.key,
  cert: server.certificate.toString('pem'),
  ca: authority.certificate.toString('pem'),
}
say(`making ${most} client certificates`)
const clients = await Promise.all(
  Array.from({ length: most }, async () => {
    const base = `bench/${newDeviceId()}`
    const { cert, key } = await clientFiles(authority, base)
    return { base, cert, key }
  }),
)

/** Messages a second from the first byte until `settled`. */
async function run(load: Load, settled: () => Promise<void>) {
  const worker = new Worker(new URL('mqtt/load.ts', import.meta.url), { workerData: load })
  const told = () =>
    new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await told()
  const start = performance.now()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker.postMessage('go')
  await told()
  await settled()
  const rate = (load.messages * load.clients.length) / ((performance.now() - start) / 1_000)
  await worker.terminate()
  return rate
}

const middle = (rates: readonly number[]) => rates.toSorted((a, b) => a - b)[rates.length >> 1]

async function mosquitto() {
  if (!existsSync(mosquittoPath)) return undefined
  const probe = net.createServer().listen(0)
  const { port } = probe.address() as net.AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  for (const [name, text] of Object.entries(tls)) await writeFile(path.join(folder, name), text)
  const file = (name: string) => path.join(folder, name)
  const settings = [
    `listener ${port} 127.0.0.1`,
    `cafile ${file('ca')}`,
    `certfile ${file('cert')}`,
    `keyfile ${file('key')}`,
    'require_certificate true',
    'use_identity_as_username true',
    'persistence false',
    'log_type none',
    'user root',
    'max_queued_messages 0',
    // Without it its acknowledgements wait for the client's TCP.
    'set_tcp_nodelay true',
  ]
  await writeFile(file('mosquitto.conf'), settings.join('\n'))
  const broker = spawn(mosquittoPath, ['-c', file('mosquitto.conf')], { stdio: 'ignore' })
  for (let open = false; !open;) {
    open = await new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  }
  return { port, stop: () => broker.kill() }
}

const postgres = await startPostgres({ dataDir: path.join(folder, 'pg') })
const broker = await mosquitto()
const platform = await ours(postgres.connection, tls, most)

/** Ours and the peer in turn, `rounds` times: what else the machine does meets both. */
async function compare(count: number, qos: 0 | 1): Promise<Line> {
  const messages = Math.ceil(total / count)
  const window = count === 1 ? 1_000 : 20
  const devices = clients.slice(0, count)
  const load = { ca: tls.ca, clients: devices, topic: platform.topic, qos, messages, window }
  const rates: number[] = []
  const peers: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    rates.push(await run({ ...load, port: platform.port }, platform.settle))
    if (broker) peers.push(await run({ ...load, port: broker.port }, async () => undefined))
  }
  const what = `${count} clients, QoS ${qos}, window ${window}`
  say(`${what}: ${rates.map(figure).join(', ')} (${peers.map(figure).join(', ')})`)
  return {
    what,
    unit: 'messages/s',
    ours: middle(rates) ?? 0,
    peers: { 'mosquitto, storing nothing': middle(peers) },
    better: 'more',
    ...(qos === 1 && count > 1 && { goal: '2×, now 1.33×' }),
  }
}

try {
  const lines: Line[] = []
  for (const count of [1, 100, 1_000].filter((one) => one >= least && one <= most)) {
    lines.push(await compare(count, 0), await compare(count, 1))
  }
  print('MQTT over TLS until durable, one value a message', lines)
  say(`values kept: ${figure(await platform.rows())}`)
  await platform.close()
} finally {
  broker?.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
