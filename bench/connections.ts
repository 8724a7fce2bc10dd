import 'reflect-metadata'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import * as x509 from '@peculiar/x509'
import {
  deviceCertificateOf,
  makeAuthority,
  serverCertificateOf,
} from '../services/platform/src/pairing/certificate-authority-x509.ts'
import { newDeviceId } from '../services/platform/src/platform-testing.ts'
import type { Order, Start } from './connections/devices.ts'
import type { Wanted } from './connections/endpoint.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- connections [--devices=10000] [--again=1000] [--rounds=3]
// Devices that are connected by TLS with certificates of their own and say nothing: what each costs,
// and how long it takes until many that were cut off at once are back. Beside Node's TLS alone.
const count = argument('devices', 10_000)
const again = argument('again', 1_000)
const rounds = argument('rounds', 3)
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const now = new Date()
const authority = await makeAuthority('bench', now)
const server = await serverCertificateOf(authority, ['localhost', '127.0.0.1'], now)
const ca = authority.certificate.toString('pem')
const files = { key: server.key, cert: server.certificate.toString('pem'), ca }

// One key for all of them: making ten thousand keys is not what is measured.
const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
const key = x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')
const publicKey = new x509.PublicKey(await crypto.subtle.exportKey('spki', keys.publicKey))
say(`making ${count} certificates`)
const clients: Start['clients'] = []
for (let index = 0; index < count; index++) {
  const base = `bench/${newDeviceId()}`
  const made = await deviceCertificateOf(authority, { publicKey, subject: [{ CN: [base] }] }, now)
  clients.push({ base, cert: made.toString('pem') })
}

const processOf = (file: string, args: string[] = []) =>
  fork(new URL(`connections/${file}.ts`, import.meta.url), { execArgv: args })

async function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const told = once(child, 'message')
  child.send(message)
  const [answer] = (await told) as [T]
  return answer
}

type Figures = { kb: number; connectS: number; backS: number }

async function measure(kind: Wanted['kind'], connection: Wanted['connection']): Promise<Figures> {
  const endpoint = processOf('endpoint', ['--expose-gc'])
  const devices = processOf('devices')
  try {
    const wanted: Wanted = { kind, tls: files, connection, most: count }
    const { port } = await ask<{ port: number }>(endpoint, wanted)
    await ask(devices, { port, ca, key, clients } satisfies Start)
    const order = async (what: Order) => (await ask<{ ms: number }>(devices, what)).ms / 1000
    const memory = async () => (await ask<{ memory: number }>(endpoint, {})).memory
    // The first hundred bring what every process needs once.
    await order({ connect: 100 })
    const before = await memory()
    const connectS = await order({ connect: count - 100 })
    const kb = ((await memory()) - before) / (count - 100) / 1024
    const back: number[] = []
    for (let round = 0; round < rounds; round++) back.push(await order({ again }))
    const backS = back.toSorted((a, b) => a - b)[rounds >> 1] ?? 0
    say(
      `${kind}: ${kb.toFixed(1)} kB each, ${connectS.toFixed(1)} s, back in ${backS.toFixed(2)} s`,
    )
    return { kb, connectS, backS }
  } finally {
    endpoint.kill('SIGKILL')
    devices.kill('SIGKILL')
  }
}

const postgres = await startPostgres({ dataDir: path.join(folder, 'pg') })
try {
  const own = await measure('ours', postgres.connection)
  const bare = await measure('bare', postgres.connection)
  const line = (what: string, unit: string, figure: keyof Figures, goal: string) => ({
    what,
    unit,
    ours: own[figure],
    peers: { 'TLS in Node alone': bare[figure] },
    better: 'less' as const,
    goal,
  })
  print(`${count} devices connected by TLS`, [
    line('memory of a connection', 'kB', 'kb', '≤ 80'),
    line(`${count} connect, 100 at a time`, 's', 'connectS', ''),
    line(`${again} cut off at once are back`, 's', 'backS', '≤ 5'),
  ])
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
