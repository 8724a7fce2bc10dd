import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { UpdateState } from '@longreach/device-protocol/agent-wire'
import type { Logger } from 'pino'
import { backoff, pause } from './retry.ts'
import { ProgramMessage, type ProgramState, programFolder, readState } from './supervision.ts'

type Options = {
  /** Folder with `apps/edge` and the packages, as installed. */
  base: string
  dataDir: string
  args: readonly string[]
  /** Time that a version has to connect to the platform before the previous one returns. */
  trialMs: number
  log: Logger
}
type Ending = { code: number | null; asked?: string }

/** Exit code for wrong settings, after which another start is useless. */
const badSettings = 2
const stopWithinMs = 10_000

/**
 * Runs the agent, and other versions of it when they arrive. A version that does not connect in
 * time, or ends, is replaced by the previous one. Resolves with the exit code.
 */
export async function supervise(options: Options, signal: AbortSignal): Promise<number> {
  const { base, dataDir, trialMs, log } = options
  const folder = programFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const waiting = backoff(1_000, 30_000)
  let state = readState(folder)
  const write = (next: ProgramState) => {
    state = next
    writeFileSync(path.join(folder, 'state.json.new'), JSON.stringify(state), { flush: true })
    renameSync(path.join(folder, 'state.json.new'), path.join(folder, 'state.json'))
  }
  if (state.trial) write(rolledBack(state, 'the gateway was started anew before it had connected'))

  while (!signal.aborted) {
    const version = state.trial?.version ?? state.current
    const ending = await run(version)
    if (signal.aborted) break
    const { trial } = state
    if (ending.asked !== undefined) {
      write(trying(state, ending.asked))
    } else if (trial) {
      log.error({ version }, 'the version did not connect; the one before it comes back')
      write(rolledBack(state, `it ended with ${ending.code ?? 'a signal'} before it had connected`))
    } else if (ending.code === badSettings || ending.code === 0) {
      return ending.code
    } else {
      log.error({ code: ending.code }, 'the agent ended and is started again')
      await pause(waiting.next(), signal)
    }
  }
  return 0

  /** Runs one process to its end. */
  async function run(version: string): Promise<Ending> {
    const root = version === '' ? base : path.join(folder, version)
    const main = path.join(root, 'apps/edge/src/main.ts')
    if (!existsSync(main)) return { code: 1 }
    const env = { ...process.env, LONGREACH_PROGRAMS: folder, LONGREACH_BASE: base }
    const child = fork(main, options.args, { env, execArgv: process.execArgv })
    const ended = once(child, 'exit')
    const stop = () => void stopChild(child)
    signal.addEventListener('abort', stop, { once: true })
    let ending: Ending = { code: null }
    const trial = setTimeout(() => {
      if (!state.trial) return
      const seconds = Math.round(trialMs / 1_000)
      log.error({ version }, 'the version did not connect in time; the one before it comes back')
      write(rolledBack(state, `it did not connect within ${seconds} s`))
      // The next version is decided already, so this end does not count as a failed trial.
      ending = { code: null, asked: '' }
      stop()
    }, trialMs)
    child.on('message', (raw) => {
      const message = ProgramMessage.safeParse(raw)
      if (!message.success) return
      if (message.data.kind === 'update') {
        ending = { code: null, asked: message.data.version }
        stop()
        return
      }
      waiting.reset()
      clearTimeout(trial)
      if (state.trial) {
        write(done(state))
        tidy(folder, state)
        log.info({ version }, 'the version connected and stays')
      }
      child.send({ kind: 'told' }, () => undefined) // a child that has ended needs no message
    })
    const [code] = (await ended) as [number | null]
    clearTimeout(trial)
    signal.removeEventListener('abort', stop)
    return { ...ending, code }
  }
}

async function stopChild(child: ChildProcess) {
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
  child.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}

const versionText = (version: string) => (version === '' ? 'the installed version' : version)
const toUpdateState = (
  state: UpdateState['state'],
  version: string,
  from: string,
  reason?: string,
) => ({
  state,
  version,
  from: versionText(from),
  at: Date.now(),
  ...(reason !== undefined && { reason }),
})

/**
 * State with a version on trial. An empty version is a trial that was given up, so the state stays
 * as stored.
 */
function trying(state: ProgramState, version: string): ProgramState {
  if (version === '') return state
  const from = state.trial?.from ?? state.current
  return { ...state, trial: { version, from }, last: toUpdateState('trying', version, from) }
}

function done(state: ProgramState): ProgramState {
  if (!state.trial) return state
  const { version, from } = state.trial
  return {
    current: version,
    previous: from,
    trial: null,
    last: toUpdateState('done', version, from),
  }
}

function rolledBack(state: ProgramState, reason: string): ProgramState {
  if (!state.trial) return state
  const { version, from } = state.trial
  return {
    ...state,
    current: from,
    trial: null,
    last: toUpdateState('rolled_back', version, from, reason),
  }
}

/** Deletes versions except the running one and the one before it. */
function tidy(folder: string, { current, previous }: ProgramState) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === current || entry.name === previous) continue
    rmSync(path.join(folder, entry.name), { recursive: true, force: true })
  }
}
