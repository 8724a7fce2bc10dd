import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { newDeviceId } from '../services/platform/src/platform-testing.ts'
import type { Figures, Wanted } from './alarms/states.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- alarm-memory [--devices=10000] [--rules=10]
// Values take memory without rules too: what a process without them takes for the same values is not counted.
const devices = argument('devices', 10_000)
const rulesOfEach = argument('rules', 10)
const limits = { megabytes: 150, loadS: 10, backS: 3 }

const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir: folder })
const newIds = () => Array.from({ length: devices }, () => newDeviceId())
const judged = newIds()
const program = new URL('alarms/states.ts', import.meta.url)

/** Figures of a process, which is then killed. */
async function figuresOf(role: Wanted['role']): Promise<Figures> {
  const child = fork(program, { execArgv: ['--expose-gc'] })
  try {
    const { connection } = postgres
    const ids = role === 'plain' ? newIds() : judged
    child.send({ connection, role, ids, rulesOfEach } satisfies Wanted)
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the ${role} process has ended`)
    })
    const [figures] = (await Promise.race([once(child, 'message'), ended])) as [Figures]
    return figures
  } finally {
    child.kill('SIGKILL')
  }
}

try {
  const plain = await figuresOf('plain')
  say(`the values alone take ${Math.round(plain.bytes / 1e6)} MB`)
  const first = await figuresOf('first')
  say(`with rules they take ${Math.round(first.bytes / 1e6)} MB`)
  say(`${first.open} states are stored`)
  const second = await figuresOf('second')
  if (second.open !== first.open) throw new Error(`${second.open} of ${first.open} states are back`)
  const instances = devices * rulesOfEach
  const line = (what: string, unit: string, ours: number, limit: number) => ({
    what,
    unit,
    ours,
    peers: { limit },
    better: 'less' as const,
    goal: ours <= limit ? 'met' : 'missed',
  })
  print(`${instances} instances of ${rulesOfEach} rules on ${devices} devices`, [
    line('memory of them', 'MB', (first.bytes - plain.bytes) / 1e6, limits.megabytes),
    line('they are loaded', 's', first.loadS, limits.loadS),
    line(`${second.open} open states back after a kill`, 's', second.loadS, limits.backS),
  ])
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
