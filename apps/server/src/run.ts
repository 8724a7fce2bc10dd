import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { AppError } from '@longreach/kit/errors'
import { collectGarbage } from '@longreach/kit/garbage'
import { buildPortal } from './build-portal.ts'
import { compose, type Composed } from './compose.ts'
import { systemFolder } from '@longreach/kit/embedded-postgres'
import { readSettings, type Settings, SettingsError } from './settings.ts'

export type RunningServer = Composed & {
  /** Ends when the portal's pages are there; fails where they cannot be built. */
  portal: Promise<void>
  stop: () => Promise<void>
}

/** Compose, listen, and start everything that works in the background; the portal is built meanwhile. */
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

/** Print to the person at the console; the log is for machines. */
export const say = (text: string) => process.stdout.write(`${text}\n`)

/** What no child of this process, nor a look at its environment from inside, needs to see. */
const secrets = ['SETUP_PASSWORD', 'MASTER_KEY']

/** Run a program of this server to its end, with settings from the environment and clear last words. */
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

/** What is said of a start that failed: the words for the person who started it where there are any. */
function failureText(error: unknown) {
  const told = error instanceof AppError ? error.details['message'] : undefined
  if (typeof told === 'string') return told
  if (!(error instanceof Error)) return String(error)
  const plain = error instanceof SettingsError || isInUse(error)
  return plain ? error.message : (error.stack ?? error.message)
}

const isInUse = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ||
  (error as Error).message.startsWith('Another Longreach is running')

/** Stop in order at the first Ctrl-C or SIGTERM; a second one does not wait. */
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
  process.on('disconnect', end) // what starts this program again after a crash is gone itself
}

/**
 * The first run: with SETUP_USER and SETUP_PASSWORD the owner is made at once; otherwise a one-time
 * token is made that the first-run page asks for. Answers what to tell the person at the console.
 */
export async function firstRun(
  { fetchAsService, site }: Composed,
  settings: Settings,
): Promise<string | undefined> {
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

/** Tell what starts this program again after a crash that the start as such has worked. */
export function tellStarted() {
  process.send?.('started')
  setTimeout(() => void collectGarbage(), quietMs).unref()
}
/** By then the portal asks its first questions and jobs of the start have ended. */
const quietMs = 30_000
