import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Calls, makeDevice, signInByHttp } from '../e2e/src/calls.ts'
import { connectDevice, pair, type Paired } from '../e2e/src/device.ts'
import { startLongreach } from '../e2e/src/longreach.ts'
import { argument, say } from './report.ts'

// npm run bench -- disk-full [--size=320] [--room=60]   (as root: it mounts a small disk in memory)
// Values are sent until the disk of the data folder is full. Shown: what the server answers then, that
// it goes on by itself when there is room again, and that no acknowledged value is lost.
const sizeMB = argument('size', 320)
const roomMB = argument('room', 60)
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const lanes = 20
/** Values that compress badly, so that the disk fills soon. */
const bytes = 2_000
const givenUpAfter = 10

type Flood = { acknowledged: Set<number>; next: number; start: number }

/** Send from many lanes over one connection until it is lost. Answers how many were acknowledged. */
async function sendUntilLost(paired: Paired, flood: Flood, most = Number.POSITIVE_INFINITY) {
  const device = await connectDevice(paired, { connectTimeout: 10_000 })
  device.client.on('error', () => undefined) // its end is what is waited for
  const leaf = await device.leafOf('tag.string')
  const endpoint = leaf?.mapping?.device_endpoint ?? ''
  let count = 0
  const lost = new Promise<false>((done) => device.client.once('close', () => done(false)))
  const lane = async () => {
    while (count < most) {
      const n = flood.next++
      const text = `${n}:${randomBytes(bytes).toString('base64')}`
      const sent = device.send(endpoint, text, new Date(flood.start + n)).then(
        () => true,
        () => false, // the connection was lost
      )
      if (!(await Promise.race([sent, lost]))) return
      flood.acknowledged.add(n)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  device.client.end(true)
  return count
}

/** Sends until nothing is taken any more, whether the server refuses, ends or denies connections. */
async function fillUp(paired: Paired, flood: Flood) {
  for (let refused = 0; refused < givenUpAfter;) {
    const taken = await sendUntilLost(paired, flood).catch(() => 0) // no connection: refused as well
    refused = taken === 0 ? refused + 1 : 0
    await wait(500)
  }
}

/** `200`, or status and message of the error. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => '200',
    (error: unknown) => (error as Error).message.replace(/^.*?: (?=\d{3} )/, ''),
  )

let made = 0
function write(call: Calls) {
  made += 1
  const name = `Model${made}:1.0.0`
  const data = {
    type: 'object',
    instanceOf: name,
    UUID: null,
    label: '',
    unit: '',
    description: 'x'.repeat(20_000),
    tags: [],
    properties: { a: { type: 'double' } },
  }
  return outcome(call('POST', 'mappings/api/v1/models?organization=main', { name, data }))
}

/** Numbers of the stored values, asked page by page. */
async function storedNumbers(call: Calls, tags: string, { start, next }: Flood) {
  const found = new Set<number>()
  const page = 2_000
  for (let from = 0; from < next; from += page) {
    const range = new URLSearchParams({
      modelPath: 'press:1/string',
      since: new Date(start + from).toISOString(),
      to: new Date(start + from + page).toISOString(),
      limit: String(2 * page),
    })
    const series = await call<{ data: [number, string][] }[]>('GET', `${tags}?${range}`)
    for (const [, text] of series[0]?.data ?? []) found.add(Number.parseInt(text, 10))
  }
  return found
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function until(what: string, fulfilled: () => Promise<boolean>) {
  const began = performance.now()
  while (!(await fulfilled())) {
    if (performance.now() - began > 180_000) throw new Error(`Still not: ${what}`)
    await wait(500)
  }
  say(`${what}: after ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}

async function freeMB(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  return (bavail * bsize) / 1024 ** 2
}

async function run(disk: string) {
  const dataDir = path.join(disk, 'data')
  const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password, LOG_LEVEL: 'warn' }
  const longreach = await startLongreach({ dataDir, env })
  const pid = longreach.pid()
  try {
    const call = await signInByHttp(longreach.url, owner)
    const { deviceId, activationKey } = await makeDevice(call, 'main', 'press')
    const paired = await pair(longreach.url, activationKey)
    const ballast = path.join(disk, 'ballast')
    const ballastMB = Math.floor((await freeMB(disk)) - roomMB)
    await writeFile(ballast, Buffer.alloc(ballastMB * 1024 ** 2))
    say(`disk of ${sizeMB} MB with ${(await freeMB(disk)).toFixed(0)} MB free`)

    const flood: Flood = { acknowledged: new Set(), next: 0, start: Date.now() - 3_600_000 }
    await fillUp(paired, flood)
    say(
      `full after ${flood.acknowledged.size} acknowledged values; ${(await freeMB(disk)).toFixed(1)} MB free`,
    )
    say(`a write through the API: ${await write(call)}`)
    say(`a write through the API: ${await write(call)}`)
    say(
      `a read through the API: ${await outcome(call('GET', 'mappings/api/v1/devices?organization=main'))}`,
    )
    process.kill(pid, 0) // throws when the server is gone
    say('the server lives')
    await wait(15_000) // the database has tried to start many times by now
    say(`a write through the API 15 s later: ${await write(call)}`)

    await rm(ballast)
    say(`room made: ${(await freeMB(disk)).toFixed(0)} MB free`)
    await until('writes through the API work', async () => (await write(call)) === '200')
    await until('values are taken', async () => {
      const taken = await sendUntilLost(paired, flood, 500).catch(() => 0) // not yet
      return taken >= 500
    })
    const asking = await signInByHttp(longreach.url, owner)
    const tags = `platform/api/v1/organizations/main/devices/${deviceId}/tags`
    const stored = await storedNumbers(asking, tags, flood)
    const lost = [...flood.acknowledged].filter((n) => !stored.has(n))
    say(`acknowledged ${flood.acknowledged.size}, of these lost: ${lost.length}`)
    if (lost.length > 0) process.exitCode = 1
  } finally {
    await longreach.stop()
    const lines = longreach.output().split('\n')
    say(`\nlast lines of the server (${lines.length} in all):`)
    for (const line of lines.slice(-argument('lines', 6))) say(`  ${line.slice(0, 300)}`)
  }
}

if (process.getuid?.() !== 0) {
  say('This mounts a disk: run it as root.')
  process.exit(2)
}
const disk = await mkdtemp(path.join(os.tmpdir(), 'longreach-disk-'))
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMB}m`, 'tmpfs', disk])
try {
  await run(disk)
} finally {
  execFileSync('umount', [disk])
  await rm(disk, { recursive: true, force: true })
}
