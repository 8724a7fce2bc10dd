import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Program = {
  child: ChildProcess
  /** All that it printed. */
  output: () => string
  /** Its exit code, when it has ended. */
  ended: Promise<number | null>
  /** End it as a service manager does, and wait. */
  stop: () => Promise<void>
}

type Options = { cwd?: string; env?: Record<string, string>; detached?: boolean }

/** Start a program of the project, named by its path from the top, as a person does at a console. */
export function startProgram(file: string, args: string[] = [], options: Options = {}): Program {
  const { cwd = root, env = {}, detached = false } = options
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()))
  }
  const ended = new Promise<number | null>((done) => child.once('close', done))
  return {
    child,
    output: () => output,
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Ids of all processes below one, from `/proc`. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const parent = /^\d+$/.test(name) ? await parentOf(Number(name)) : undefined
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const below = (one: number): number[] =>
    [...parents].filter(([, parent]) => parent === one).flatMap(([id]) => [id, ...below(id)])
  return below(pid)
}

async function parentOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') // it ended meanwhile
  // The name in brackets may hold anything; the state and the parent follow its last bracket.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return parent === undefined || state === 'Z' ? undefined : Number(parent)
}

/** Processes of these that still run. */
export async function living(pids: readonly number[]): Promise<number[]> {
  const states = await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const))
  return states.filter(([, parent]) => parent !== undefined).map(([pid]) => pid)
}
