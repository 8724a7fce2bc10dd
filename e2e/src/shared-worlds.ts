import { existsSync, type FSWatcher, watch } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type DemoFile, demoFile, type Longreach, startLongreach } from './longreach.ts'
import { runFolder } from './started-folders.ts'

// Demos without machines that several journeys use at once: a start costs as much as a short journey. Vitest's main process
// starts one when the first journey asks for it, and stops it after all tests. A journey may use one if it
// only looks, or changes what is its own: people, roles and keys that it made, or things that no other
// journey of the same demo names. `edited` is for journeys that change what the demo brings.

const names = ['demo', 'edited'] as const
type Name = (typeof names)[number]

const started = new Map<Name, Promise<Longreach>>()
let watcher: FSWatcher | undefined

/** Begins to wait for journeys that ask for a demo; vitest calls it before all tests. */
export function setup() {
  const folder = runFolder()
  watcher = watch(folder, () => {
    for (const name of names)
      if (!started.has(name) && existsSync(path.join(folder, `${name}.wanted`))) start(folder, name)
  })
}

/** Stops the demos; vitest calls it after all tests. */
export async function teardown() {
  watcher?.close()
  const running = await Promise.allSettled(started.values()) // a failed start was told to its journeys
  await Promise.all(
    running.flatMap((one) => (one.status === 'fulfilled' ? [one.value.stop()] : [])),
  )
}

function start(folder: string, name: Name) {
  const starting = startLongreach({ program: 'demo', machines: 'off' })
  started.set(name, starting)
  void starting.then(
    async (one) => tell(folder, `${name}.world`, JSON.stringify(await demoFile(one))),
    (error: unknown) => tell(folder, `${name}.failed`, String(error)),
  )
}

/** Writes a file at once whole, as another process waits for it. */
async function tell(folder: string, name: string, text: string) {
  const file = path.join(folder, name)
  await writeFile(`${file}.part`, text)
  await rename(`${file}.part`, file)
}

/** Demo that other journeys use too; it is stopped after all tests. */
export async function sharedDemo(name: Name): Promise<DemoFile> {
  const folder = runFolder()
  const [world, failed] = [path.join(folder, `${name}.world`), path.join(folder, `${name}.failed`)]
  await writeFile(path.join(folder, `${name}.wanted`), '')
  while (!existsSync(world)) {
    if (existsSync(failed)) throw new Error(await readFile(failed, 'utf8'))
    await new Promise((done) => setTimeout(done, 100))
  }
  return JSON.parse(await readFile(world, 'utf8')) as DemoFile
}
