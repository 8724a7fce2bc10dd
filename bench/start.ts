import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../apps/edge/src/free-port-for-tests.ts'
import { startLongreach } from '../e2e/src/longreach.ts'
import { descendantsOf } from '../e2e/src/program.ts'
import { bundlesOf } from '../scripts/server-bundle.mjs'

// How soon the demo answers, and what its processes hold a minute later, each as a share of its limit:
// below 1 is within. The first start makes the data and, the first time, builds the portal. Beside the time
// stands what the server's processor worked in it, which other work on the machine changes less.

const limits = { notBuiltMs: 12_000, builtMs: 6_000, existingMs: 2_000, serverMB: 350 }
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = path.join(root, 'apps/portal/dist')

/** As `npm run demo` sets them; what is compiled is kept from one start to the next as in a clone. */
const compiled = await mkdtemp(path.join(os.tmpdir(), 'longreach-compiled-'))
const env = { DEMO_FLEET: 'on', MALLOC_ARENA_MAX: '2', NODE_COMPILE_CACHE: compiled }

const print = (what: string, value: string, ratio: number) =>
  process.stdout.write(
    `${what.padEnd(48)} ${value.padStart(10)}  ${ratio.toFixed(2)} of its limit\n`,
  )

/** Start the demo with its fleet: a first start is timed until one can sign in, a later one to the first answer of its page. */
async function timed(what: string, limitMs: number, dataDir?: string) {
  const port = await freePort()
  const began = performance.now()
  const answered = firstAnswer(`http://127.0.0.1:${port}/`)
  const longreach = await startLongreach({
    program: 'demo',
    first: true,
    env: { ...env, PORT: String(port) },
    ...(dataDir !== undefined && { dataDir }),
  })
  const ready = performance.now() - began
  const first = (await answered) - began
  const ms = dataDir === undefined ? ready : first
  print(what, `${Math.round(ms)} ms`, ms / limitMs)
  const worked = await processorMs(longreach.pid())
  process.stdout.write(
    `    first answer ${Math.round(first)} ms, its people and machines ${Math.round(ready)} ms; processor of the server: ${worked} ms\n`,
  )
  return longreach
}

/** Time of the first successful answer, polled 50 times a second. */
async function firstAnswer(url: string) {
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => undefined, // the server does not listen yet
    )
    if (status === 200) return performance.now()
    await new Promise((done) => setTimeout(done, 20))
  }
}

/**
 * Processor time of a process so far in ms, user and system; the clock has a resolution of 10 ms.
 */
async function processorMs(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) * 10
}

/** Memory that a process does not share with others, and its part of what it does, in MB. */
async function memoryOf(pid: number) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
}

async function memory(what: string, pid: number) {
  await new Promise((done) => setTimeout(done, 60_000))
  const server = await memoryOf(pid)
  print(`${what}, server a minute later`, `${Math.round(server)} MB`, server / limits.serverMB)
  const below = await descendantsOf(pid)
  const sizes = await Promise.all(below.map(memoryOf))
  const others = sizes.reduce((sum, size) => sum + size, 0)
  process.stdout.write(
    `${' '.repeat(4)}database and plant: ${Math.round(others)} MB in ${below.length} processes\n`,
  )
}

await rm(path.join(dist, '.sources'), { force: true })
await rm(bundlesOf(root), { recursive: true, force: true })
const notBuilt = await timed('first start, portal not built, to its people', limits.notBuiltMs)
await memory('first start, portal not built', notBuilt.pid())
await notBuilt.stop()
// What every start by npm leaves for the next one.
await promisify(execFile)(process.execPath, [path.join(root, 'scripts/bundle-server.ts')])
const first = await timed('first start, portal built, to its people', limits.builtMs)
await memory('first start, portal built', first.pid())
await first.stop('keep')
const again = await timed(
  'start on existing data, to the first answer',
  limits.existingMs,
  first.dataDir,
)
await memory('start on existing data', again.pid())
await again.stop()
for (const folder of [first.dataDir, compiled]) await rm(folder, { recursive: true, force: true })
