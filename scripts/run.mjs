// The entry of every npm script. No dependencies: it runs on a bare Node 20, installs what the lock
// file names if that is not there yet, and goes on under the Node 24 that comes with the packages.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledProgram } from './server-bundle.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const programs = {
  start: 'apps/server/src/main.ts',
  demo: 'apps/server/src/demo.ts',
  dev: 'scripts/dev.ts',
  'reset-admin': 'apps/server/src/reset-admin.ts',
  'admin-client': 'apps/server/src/admin-client.ts',
  'rotate-ca': 'apps/server/src/rotate-ca.ts',
  'rotate-release-key': 'apps/server/src/rotate-release-key.ts',
  'verify-audit': 'apps/server/src/verify-audit.ts',
  edge: 'apps/edge/src/supervise.ts',
  test: 'scripts/test.ts',
  'test:one': 'scripts/test-one.ts',
  check: 'scripts/check.ts',
  format: 'scripts/format.ts',
  requirements: 'scripts/requirements.ts',
  fuzz: 'scripts/fuzz.ts',
  schemathesis: 'scripts/schemathesis.ts',
  keycloak: 'scripts/keycloak.ts',
  'isolation-mutations': 'scripts/isolation-mutations.ts',
  bench: 'bench/main.ts',
  'empty-machine': 'scripts/empty-machine.ts',
  'upgrade-check': 'scripts/upgrade.ts',
  trouble: 'scripts/trouble.ts',
}

const [name = '', ...args] = process.argv.slice(2)
const program = programs[name]
if (!program) {
  console.error(`Unknown command "${name}". Known: ${Object.keys(programs).join(', ')}`)
  process.exit(2)
}

if (!installed()) install()
const node = node24()
const folders = [path.dirname(node), path.join(root, 'node_modules/.bin')]
/** Programs that run on and on: after a crash they are started again. */
const servers = ['start', 'demo']
/** More restarts than this in ten minutes, and starting again does not help. */
const [mostRestarts, spanMs] = [5, 600_000]
const restarts = []
let stopping = false
let started = false
let waiting
let bundling
let child = launch()
// A terminal sends Ctrl-C to the child as well; it ends in order and this process after it.
process.on('SIGINT', () => end())
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))

function launch() {
  const isServer = servers.includes(name)
  const bundled = bundledProgram(root, program)
  const file = bundled ?? path.join(root, program)
  const one = spawn(node, [...flags(isServer), file, ...args], {
    stdio: isServer ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: {
      ...process.env,
      // Few pools of memory: what one thread gives back serves the others.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
      // What the first start compiles, the next ones find; tests start many servers.
      NODE_COMPILE_CACHE:
        process.env.NODE_COMPILE_CACHE ?? path.join(root, 'node_modules/.cache/compiled'),
      PATH: [...folders, process.env.PATH].join(path.delimiter),
    },
  })
  one.on('message', () => {
    started = true
    if (bundled === undefined) bundle()
  })
  one.on('exit', (code, signal) => {
    bundling?.kill()
    // What ends by itself before it ever started, with bad settings perhaps, would do so again.
    const crashed = isServer && !stopping && code !== 0 && (started || signal !== null)
    if (!crashed || !again(code, signal)) process.exit(code ?? (signal === 'SIGINT' ? 130 : 1))
  })
  return one
}

/** Join the sources for the next start, behind all other work of the machine. */
function bundle() {
  bundling = spawn(node, [path.join(root, 'scripts/bundle-server.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (bundling.pid !== undefined) os.setPriority(bundling.pid, os.constants.priority.PRIORITY_LOW)
  bundling.on('exit', (code) => {
    if (code) console.error('The server starts from its sources until they can be joined.')
  })
}

/** A server makes much that is used once: where that lies, V8 would let it grow to 128 MB. */
function flags(isServer) {
  return ['--enable-source-maps', ...(isServer ? ['--max-semi-space-size=16'] : [])]
}

/** Start the child again after a while, unless that was tried often enough. */
function again(code, signal) {
  const now = Date.now()
  while (restarts.length > 0 && restarts[0] < now - spanMs) restarts.shift()
  const how = signal ?? `code ${code}`
  if (restarts.length >= mostRestarts) {
    console.error(
      `Longreach ended with ${how} after ${restarts.length} restarts in ten minutes; it stays stopped.`,
    )
    return false
  }
  const seconds = 2 ** restarts.length
  restarts.push(now)
  console.error(`Longreach ended with ${how}; it starts again in ${seconds} s.`)
  waiting = setTimeout(() => {
    waiting = undefined
    child = launch()
  }, seconds * 1_000)
  return true
}

function end(signal) {
  stopping = true
  if (waiting !== undefined) process.exit(0)
  if (signal) child.kill(signal)
}

/** True when node_modules contains what the lock file names. */
function installed() {
  const hidden = path.join(root, 'node_modules/.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = packagesOf(path.join(root, 'package-lock.json'))
  const there = packagesOf(hidden)
  return Object.entries(wanted).every(
    ([place, { version, optional, link }]) =>
      !place.startsWith('node_modules/') ||
      link ||
      there[place]?.version === version ||
      (optional && there[place] === undefined),
  )
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function install() {
  console.error('Installing what Longreach needs (once, about a minute) …')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['ci', ...quiet], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    console.error('npm ci did not succeed; the lines above say why.')
    process.exit(status ?? 1)
  }
}

function node24() {
  const require = createRequire(path.join(root, 'package.json'))
  try {
    const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`)
    return path.join(path.dirname(manifest), 'bin/node')
  } catch {
    if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
    console.error(
      `There is no packaged Node 24 for ${process.platform} ${process.arch}. Install Node 24 or newer and run this again.`,
    )
    process.exit(1)
  }
}
