import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { AppError } from '@longreach/kit/errors'
import { collectGarbage } from '@longreach/kit/garbage'
import { WrongMasterKey } from '@longreach/kit/master-key-check'
import { UnreachableProcess } from '@longreach/kit/own-process'
import { buildPortal } from './build-portal.ts'
import { compose, type Composed } from './compose.ts'
import { systemFolder } from '@longreach/kit/embedded-postgres'
import { readSettings, type Settings, SettingsError } from './settings.ts'

export type RunningServer = Composed & {
  /** Ends when the portal's pages are ready; rejects when they cannot be built. */
  portal: Promise<void>
  stop: () => Promise<void>
}

/** Composes the server, listens and starts background work, while the portal is built. */
export async function run(settings: Settings): Promise<RunningServer> {
  const { served: portal } = buildPortal(say)
  const composed = await compose(settings, { portal })
  const { app, site } = composed
  await app.listen({ port: settings.port, host: settings.host })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : settings.port
  if (settings.publicUrl === undefined) site.origin = `http://localhost:${port}`
  await writeFile(path.join(settings.dataDir, 'origin'), `${site.origin}\n`)
  const running = await composed.start()
  const stop = async () => {
    await running.close()
    await composed.close()
  }
  return { ...composed, portal, stop }
}

/** Prints to the console, for people; the log is for programs. */
export const say = (text: string) => process.stdout.write(`${text}\n`)

/** Settings that are removed from the environment, so that child processes do not inherit them. */
const secrets = ['SETUP_PASSWORD', 'MASTER_KEY', 'NATS_URL', 'ADMIN_CLIENT_SECRET']

/**
 * Runs a program of this server with settings from the environment, and prints a clear message when
 * it fails.
 */
export function program(main: (settings: Settings) => Promise<void>) {
  const begin = async () => {
    const settings = readSettings(process.env)
    for (const name of secrets) delete process.env[name]
    if (settings.dataDir.startsWith(systemFolder) && !process.env['DATA_DIR']) {
      say(`The data are in ${settings.dataDir}: the database's user cannot come to ./data.`)
    }
    await main(settings)
  }
  begin().catch((error: unknown) => {
    process.stderr.write(`${failureText(error)}\n`)
    process.exit(1)
  })
}

/** Message of a failed start: the text for the person who started it, if there is one. */
function failureText(error: unknown) {
  const told = error instanceof AppError ? error.details['message'] : undefined
  if (typeof told === 'string') return told
  if (!(error instanceof Error)) return String(error)
  const plain = plainErrors.some((kind) => error instanceof kind) || isInUse(error)
  return plain ? error.message : (error.stack ?? error.message)
}

const plainErrors = [SettingsError, WrongMasterKey, UnreachableProcess]
const isInUse = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ||
  (error as Error).message.startsWith('Another Longreach is running')

/** Stops in order at the first Ctrl-C or SIGTERM; a second one ends at once. */
export function stopOnSignal(stop: () => Promise<void>) {
  let stopping = false
  const end = () => {
    if (stopping) process.exit(1)
    stopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  process.on('disconnect', end) // the parent, which restarts this program after a crash, is gone
}

/**
 * First run: with SETUP_USER and SETUP_PASSWORD it makes the owner at once; otherwise it makes a
 * one-time token for the first-run page. Returns the message for the console.
 */
export async function firstRun(
  { fetchAsService, site }: Composed,
  settings: Settings,
): Promise<string | undefined> {
  // The process that runs core does it, for all.
  if (settings.services && !settings.services.includes('core')) return undefined
  const core = client(coreContract, await fetchAsService())
  const { needed, token } = await core.setupToken({ body: {} })
  if (!needed || token === undefined) return undefined
  if (!settings.setup) {
    return `First start: open ${site.origin}/setup and enter this one-time token:\n\n  ${token}\n`
  }
  const { user, password, organization } = settings.setup
  const [username = user] = user.split('@')
  await core.setup({
    body: {
      token,
      organization: { name: organization, label: organization },
      user: { username, password, email: user.includes('@') ? user : '' },
    },
  })
  return `First start: made the organization "${organization}" and its owner "${username}".`
}

/** Tells the parent, which restarts this program after a crash, that the start succeeded. */
export function reportStarted() {
  process.send?.('started')
  setTimeout(() => void collectGarbage(), quietMs).unref()
}
/** Time until the portal has made its first requests and the start's jobs have ended. */
const quietMs = 30_000
