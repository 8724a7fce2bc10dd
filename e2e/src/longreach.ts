import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledProgram } from '../../scripts/server-bundle.mjs'
import { copyStarted, pastTold } from './started-folders.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Longreach = {
  url: string
  mqttPort: number
  dataDir: string
  /** All that it printed. */
  output: () => string
  /** Wait for a line that matches. */
  printed: (pattern: RegExp) => Promise<RegExpMatchArray>
  /** The server's own process, for tests that kill it. */
  pid: () => number
  isRunning: () => boolean
  /** Stop in order; its folder goes too, unless it was given or is kept. */
  stop: (keep?: 'keep') => Promise<void>
  /** Stop without warning, as a power cut does. */
  kill: () => Promise<void>
}

type Program = 'start' | 'demo'
type Options = {
  program?: Program
  /** File to run in its place, by its path from the top. */
  entry?: string
  dataDir?: string
  env?: Record<string, string>
  /** In an empty folder even where the run keeps one of an earlier start. */
  first?: boolean
  /** A demo as `npm start` runs it: its organizations and their past, and no machine that sends. */
  machines?: 'off'
}

const mains = { start: 'apps/server/src/main.ts', demo: 'apps/server/src/demo.ts' }

/** Start the product as a person does, on free ports and in a folder of its own; a demo without its fleet. */
export async function startLongreach({
  program = 'start',
  entry,
  dataDir,
  env = {},
  first = false,
  machines,
}: Options = {}): Promise<Longreach> {
  const folder =
    dataDir ?? (first ? undefined : await startedFolder(program)) ?? (await emptyFolder())
  const file = fileOf(entry ?? (machines === 'off' ? mains.start : mains[program]))
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, PORT: '0', MQTT_PORT: '0', DATA_DIR: folder, DEMO_FLEET: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test that was given up before it had the server to stop must not leave it behind.
  const endWithProcess = () => void child.kill('SIGTERM')
  process.once('exit', endWithProcess)
  child.once('exit', () => process.off('exit', endWithProcess))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()))
  }
  const printed = (pattern: RegExp) =>
    waitFor(
      child,
      () => output.match(pattern) ?? undefined,
      () => output,
    )
  const ready = await printed(/ready at (http:\S+) \(MQTT over TLS on port (\d+)\)/)
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    url: ready[1] ?? '',
    mqttPort: Number(ready[2]),
    dataDir: folder,
    output: () => output,
    printed,
    pid: () => child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop(keep) {
      child.kill('SIGTERM')
      await ended
      if (dataDir === undefined && keep === undefined)
        await rm(folder, { recursive: true, force: true })
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The program joined into one file, where there is one. */
const fileOf = (main: string) => bundledProgram(root, main) ?? path.join(root, main)

const emptyFolder = () => mkdtemp(path.join(os.tmpdir(), 'longreach-e2e-'))

/**
 * Copy of the data folder after the first start of a program: a demo with its past, or an empty
 * installation; undefined where the run keeps none.
 */
export const startedFolder = (program: Program) =>
  copyStarted(program, async (dataDir) => {
    const longreach = await startLongreach({ program, dataDir })
    if (program === 'demo') await pastTold(dataDir)
    await longreach.stop()
    // Copies that run at the same time have ports of their own.
    await rm(path.join(dataDir, 'demo/plant-state.json'), { force: true })
  })

async function waitFor<T>(
  child: ChildProcess,
  look: () => T | undefined,
  output: () => string,
): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    if (child.exitCode !== null)
      throw new Error(`Longreach ended with ${child.exitCode}:\n${output()}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

export type DemoFile = {
  url: string
  mqttUrl: string
  caFile: string
  people: { username: string; password: string; organization: string }[]
  apiKey: { organization: string; label: string; key: string }
  machines: { modbus: string; opcua: string }
}

/** File that `npm run demo` writes for scripts, with the addresses of the server that runs now. */
export async function demoFile({ dataDir, url, mqttPort }: Longreach): Promise<DemoFile> {
  const demo = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  return {
    ...demo,
    url,
    mqttUrl: `mqtts://${new URL(url).hostname}:${mqttPort}`,
    caFile: path.join(dataDir, 'demo/ca.crt'),
  }
}
