import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundledProgram } from '../../scripts/server-bundle.mjs'

// Data folders of the product as it is after its first start, stopped in order. Each is made once for a
// run; tests begin with copies of it, because a first start makes a database, and a demo its past besides.

/** Names the folder that those of this run lie in; without it each test starts for the first time. */
const variable = 'E2E_STARTED_FOLDERS'
const root = fileURLToPath(new URL('../../', import.meta.url))
const execute = promisify(execFile)

/** Begins the folder of a run, and joins the server's sources as a first start does; vitest calls it before all tests. */
export async function setup() {
  if (bundledProgram(root, 'apps/server/src/demo.ts') === undefined)
    await execute(process.execPath, [path.join(root, 'scripts/bundle-server.ts')])
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-e2e-started-'))
  await chmod(folder, 0o711) // as root, the database's own user passes through
  process.env[variable] = folder
}

/** Removes the folder of a run; vitest calls it after all tests. */
export async function teardown() {
  const folder = process.env[variable]
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}

/** Folder of this run, for what its processes share. */
export function runFolder() {
  const folder = process.env[variable]
  if (folder === undefined) throw new Error('There is no folder of a run: vitest begins it')
  return folder
}

/** A copy of the folder that `start` leaves; undefined where the run keeps none. */
export async function copyStarted(name: string, start: (folder: string) => Promise<void>) {
  const run = process.env[variable]
  if (run === undefined) return undefined
  const kept = path.join(run, name)
  await makeOnce(kept, async () => {
    await rm(kept, { recursive: true, force: true })
    await mkdir(kept)
    await start(kept)
  })
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-e2e-'))
  // With owners and rights: the database's files belong to a user of its own.
  await execute('cp', ['-a', `${kept}/.`, folder])
  return folder
}

/** Calls `make` unless another process did or does; what it leaves is whole when this ends. */
async function makeOnce(kept: string, make: () => Promise<void>) {
  const whole = `${kept}.whole`
  for (;;) {
    if (existsSync(whole)) return
    if (await claimed(`${kept}.begun`)) break
    await new Promise((done) => setTimeout(done, 200))
  }
  try {
    // The one before may have ended between the two looks above.
    if (existsSync(whole)) return
    await make()
    await mkdir(whole)
  } finally {
    // After a failure the next process tries again.
    await rm(`${kept}.begun`, { recursive: true })
  }
}

const claimed = (folder: string) =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

/** Waits until a demo has written all of its past. */
export async function pastTold(folder: string) {
  const file = path.join(folder, 'demo/story.json')
  const isTold = async () => (JSON.parse(await readFile(file, 'utf8')) as { told: boolean }).told
  while (!(await isTold())) await new Promise((done) => setTimeout(done, 200))
}
