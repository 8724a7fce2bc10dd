import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { connect, createServer as createSocket } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createServer, type Plugin } from 'vite'
import { standardDataDir } from '../apps/server/src/data-folder.ts'

// Demo from its sources: the portal comes from Vite, which replaces changed modules in open pages; the
// server starts again after a change, on a database that keeps running.
const root = path.join(import.meta.dirname, '..')
const server = 'apps/server/src/demo.ts'
const watched = ['packages', 'services', 'apps/server', 'apps/edge']
const isSource = (file: string) =>
  /\/src\/.*\.(ts|mts|mjs|sql)$/.test(file) && !/\.test\./.test(file)
/** Addresses that the server answers; all others are of the portal. */
const ofServer = '^/(svc|auth|pairing|manage|docs|map-tiles|portal-settings\\.json)(/|$|\\?)'
/** Time in which an editor writes all files of one change. */
const settledMs = 100

const dataDir = path.resolve(process.env['DATA_DIR'] ?? standardDataDir(undefined))
const say = (text: string) => void process.stdout.write(`${text}\n`)
const behind = await freePort()
const database = await startPostgres({ dataDir: path.join(dataDir, 'postgres') })
const portal = await startPortal()
let child = launch()
let answering = listening(child)
let stopping = false
const replaced = new WeakSet<ChildProcess>()
let settling: NodeJS.Timeout | undefined
const watchers = watched.map((folder) =>
  watch(path.join(root, folder), { recursive: true }, (_, name) => {
    if (name === null || !isSource(`/${name}`)) return
    clearTimeout(settling)
    settling = setTimeout(restart, settledMs)
  }),
)
// Vite's own listener would end this process before the server has stopped.
process.removeAllListeners('SIGTERM')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())

/** Lets requests wait while the server starts again. */
function waiting(): Plugin {
  return {
    name: 'waiting',
    configureServer({ middlewares }) {
      middlewares.use((request, _, next) => {
        if (new RegExp(ofServer).test(request.url ?? '')) void answering.then(() => next())
        else next()
      })
    },
  }
}

async function startPortal() {
  const { PORT = '8080', HOST = 'localhost' } = process.env
  const vite = await createServer({
    root: path.join(root, 'apps/portal'),
    configFile: path.join(root, 'apps/portal/vite.config.ts'),
    logLevel: 'warn',
    plugins: [waiting()],
    server: {
      host: HOST,
      port: Number(PORT),
      strictPort: true,
      proxy: { [ofServer]: { target: `http://127.0.0.1:${behind}`, ws: true } },
    },
  })
  await vite.listen()
  return vite
}

function launch(): ChildProcess {
  const { host, user, database: name } = database.connection
  const one = spawn(process.execPath, ['--enable-source-maps', path.join(root, server)], {
    // In a group of its own: Ctrl-C in a terminal reaches this process alone, which stops both in order.
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
      HOST: '127.0.0.1',
      PORT: String(behind),
      PUBLIC_URL: originOf(),
      PORTAL_SOURCES: 'served',
    },
  })
  one.once('exit', (code) => {
    if (code !== 0 && one === child && !replaced.has(one))
      say('The server ended; it starts again after the next change.')
  })
  return one
}

function originOf() {
  const [url = ''] = portal.resolvedUrls?.local ?? []
  return new URL(url).origin
}

/** Stops the server and starts it from the changed sources; requests and later changes wait for it. */
function restart() {
  const stopped = stopServer()
  answering = answering.then(async () => {
    await stopped
    await stopServer()
    if (stopping) return
    child = launch()
    await listening(child)
  })
}

async function stopServer() {
  if (child.exitCode !== null || child.signalCode !== null) return
  replaced.add(child)
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function end() {
  if (stopping) return
  stopping = true
  clearTimeout(settling)
  for (const one of watchers) one.close()
  await Promise.all([stopServer(), portal.close()])
  await answering
  await database.stop()
  process.exit(0)
}

/** Ends when the server accepts connections, or has ended before. */
async function listening(one: ChildProcess): Promise<void> {
  const began = Date.now()
  while (one.exitCode === null && one.signalCode === null) {
    const socket = connect(behind, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false) // refused: not yet
    socket.destroy()
    if (isThere) {
      say(`The server answers after ${Date.now() - began} ms.`)
      return
    }
    await wait(20)
  }
}

/** Port that no other program listens on now. */
async function freePort() {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const address = socket.address()
  socket.close()
  await once(socket, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('a port was expected')
  return address.port
}
