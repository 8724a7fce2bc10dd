import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Checkout of a revision in a folder of its own; its first command installs its packages. */
export async function checkOut(revision: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-version-'))
  git('worktree', 'add', '--detach', '--force', folder, revision)
  return {
    folder,
    async remove() {
      git('worktree', 'remove', '--force', folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function git(...args: string[]) {
  const { status } = spawnSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`git ${args.join(' ')} did not succeed`)
}

/** Program of a checkout, as a person starts it: `npm run demo`, `npm run edge -- …`. */
export function startCommand(
  folder: string,
  [name = '', ...args]: readonly string[],
  env: Record<string, string> = {},
) {
  const child = spawn(process.execPath, ['scripts/run.mjs', name, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => lines.push(data.toString()))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const output = () => lines.join('')
  return {
    output,
    ended,
    /** Waits for a line that matches; fails when the program ends before. */
    async printed(pattern: RegExp) {
      for (;;) {
        const found = pattern.exec(output())
        if (found) return found
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`${name} of ${folder} ended:\n${output()}`)
        await new Promise((done) => setTimeout(done, 100))
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    /** Ends the program and all that it started at once, as a power cut does. */
    async kill() {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await ended
    },
  }
}
export type Command = ReturnType<typeof startCommand>
