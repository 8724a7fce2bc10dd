import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { accessSettings } from './database-access.ts'
import { databaseBinaries, exists, openFolder, systemFolder } from './database-binaries.ts'
import { closedAbove, databaseFolder, socketFolder } from './database-folder.ts'
import type { Owner } from './database-user.ts'
import { claim, release, takeOver } from './postgres-owner.ts'

export { systemFolder }

export type EmbeddedPostgres = {
  connection: { host: string; user: string; database: string }
  /** Process id of the server, for tests that kill it. */
  pid: () => number
  stop: () => Promise<void>
}
type Options = {
  dataDir: string
  settings?: Record<string, string>
  /** Called when the server ends without being stopped; it is started again. */
  onExit?: (code: number | null) => void
  /** Uses a server that another process already runs in this folder. */
  share?: boolean
}

/**
 * Starts a PostgreSQL server in `dataDir` as a child process without a network port. It listens on
 * a Unix socket in a closed folder and admits only the user of this process and root. As root it
 * runs under a user of its own.
 */
export async function startPostgres({
  dataDir,
  settings = {},
  onExit,
  share = false,
}: Options): Promise<EmbeddedPostgres> {
  const folder = await databaseFolder(path.resolve(dataDir))
  const { home, owner } = folder
  const native = await databaseBinaries(owner)
  if (owner) await letPass(home, owner)
  if (!(await exists(path.join(home, 'PG_VERSION')))) await initialize(native, home, owner)
  const connect = (host: string) => ({ host, user: 'longreach', database: 'postgres' })
  if ((await takeOver(home)) === 'in use') {
    if (!share)
      throw new Error(`Another Longreach is running with the folder ${path.dirname(home)}`)
    return {
      connection: connect(await socketInUse(home)),
      pid: () => 0,
      stop: () => Promise.resolve(),
    }
  }
  await claim(home)
  const socket = await socketFolder(folder)
  const access = await accessSettings(folder)
  const run = () => launch({ native, home, socket, settings: { ...settings, ...access }, owner })
  let child = await run()
  let stopping = false
  let restart: Promise<void> | undefined
  /**
   * Restart after an unexpected end. Queries fail with "database away" until it succeeds, for
   * example while the disk is full.
   */
  const startAgain = async () => {
    while (!stopping) {
      const again = await run().catch(() => undefined) // the result is checked below
      if (again) {
        child = again
        return watch()
      }
      onExit?.(null)
      await wait(1_000)
    }
  }
  const onEnd = (code: number | null) => {
    if (stopping) return
    onExit?.(code)
    restart = startAgain()
  }
  const watch = () => (hasEnded(child) ? onEnd(child.exitCode) : void child.once('exit', onEnd))
  watch()
  // The server must not outlive this process, except after SIGKILL.
  const endWithProcess = () => void child.kill('SIGINT')
  process.once('exit', endWithProcess)
  return {
    connection: connect(socket),
    pid: () => child.pid ?? 0,
    async stop() {
      stopping = true
      await restart
      if (!hasEnded(child)) {
        const gone = new Promise((done) => child.once('exit', done))
        child.kill('SIGINT') // "fast": open transactions are rolled back, then a clean checkpoint
        await gone
      }
      process.off('exit', endWithProcess)
      await release(home)
      if (socket !== home) await rm(socket, { recursive: true, force: true })
    },
  }
}

type Runner = Owner | undefined

/** Minimal environment, because that of this process may hold passwords. */
const environment = () => ({ PATH: process.env['PATH'] ?? '', LC_ALL: 'C' })

const credentials = (owner: Runner) => (owner ? { uid: owner.uid, gid: owner.gid } : {})

/** Opens the data folder's parent for the database's user; refuses when a folder above it is closed. */
async function letPass(home: string, { name }: Owner) {
  const above = path.dirname(home)
  if (home.startsWith(`${systemFolder}/`)) await openFolder(systemFolder)
  const { mode } = await stat(above)
  if ((mode & 0o001) === 0) await chmod(above, mode | 0o011)
  const closed = await closedAbove(home)
  if (closed === undefined) return
  throw new Error(
    `As root, the database runs as the user "${name}", who cannot come to ${home}: ${closed} is closed to others. ` +
      `Let them pass (chmod o+x ${closed}), run Longreach as another user, or put its data elsewhere (DATA_DIR).`,
  )
}

/** Folder of a running server's socket, from the fifth line of its lock file. */
async function socketInUse(home: string) {
  const lines = (await readFile(path.join(home, 'postmaster.pid'), 'utf8')).split('\n')
  return lines[4] || home
}

async function initialize(native: string, home: string, owner: Runner) {
  const args = [
    '-D',
    home,
    '-U',
    'longreach',
    '-E',
    'UTF8',
    '--locale=C',
    '--auth=peer',
    '--no-instructions',
  ]
  const child = spawn(path.join(native, 'bin/initdb'), args, {
    ...credentials(owner),
    cwd: '/',
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { code, text } = await ended(child)
  if (code !== 0) throw new Error(`The database could not be made in ${home}: ${text}`)
}

type Launch = {
  native: string
  home: string
  socket: string
  settings: Record<string, string>
  owner: Runner
}

const defaults = {
  listen_addresses: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  checkpoint_completion_target: '0.9',
  unix_socket_permissions: '0700',
  log_min_messages: 'warning',
}

/**
 * Starts the server and tries again for ten seconds: after a kill the lock file stays for up to two
 * seconds.
 */
async function launch(options: Launch): Promise<ChildProcess> {
  for (let attempt = 0; ; attempt += 1) {
    const child = startOnce(options)
    const over = new AbortController()
    const up = ready(options.socket, over.signal).then(() => undefined)
    const failed = await Promise.race([up, ended(child)])
    over.abort()
    if (!failed) return child
    if (attempt === 20) throw new Error(`PostgreSQL does not start: ${failed.text}`)
    await wait(500)
  }
}

function startOnce({ native, home, socket, settings, owner }: Launch) {
  const all = { ...defaults, unix_socket_directories: socket, ...settings }
  const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  // A process group of its own, so that Ctrl-C reaches only this process, which then stops the
  // server in order.
  return spawn(path.join(native, 'bin/postgres'), ['-D', home, ...args], {
    ...credentials(owner),
    cwd: '/',
    env: environment(),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

async function ready(socket: string, over: AbortSignal) {
  while (!over.aborted) {
    const client = new pg.Client({ host: socket, user: 'longreach', database: 'postgres' })
    client.on('error', () => undefined) // connect reports the error below
    const open = await client.connect().then(
      () => true,
      () => false, // not up yet
    )
    if (open) return client.end()
    await wait(20)
  }
}

async function ended(child: ChildProcess) {
  let text = ''
  child.stderr?.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-4000)))
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  return { code, text }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))
