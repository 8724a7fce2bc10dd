import { readFileSync } from 'node:fs'
import path from 'node:path'
import { UpdateState } from '@longreach/device-protocol/agent-wire'
import { z } from 'zod'

/** Messages from the supervised program to its supervisor. */
export const ProgramMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connected') }),
  z.object({ kind: z.literal('update'), version: z.string() }),
])
export type ProgramMessage = z.output<typeof ProgramMessage>

export const ProgramState = z.object({
  /** Running version; empty: the installed one. */
  current: z.string(),
  previous: z.string().nullable(),
  /** Version that has not connected yet. */
  trial: z.object({ version: z.string(), from: z.string() }).nullable(),
  last: UpdateState.nullable(),
})
export type ProgramState = z.output<typeof ProgramState>
const firstState: ProgramState = { current: '', previous: null, trial: null, last: null }

/** Folder of the program's versions, below the data folder. */
export const programFolder = (dataDir: string) => path.join(dataDir, 'program')

export function readState(folder: string): ProgramState {
  try {
    return ProgramState.parse(JSON.parse(readFileSync(path.join(folder, 'state.json'), 'utf8')))
  } catch {
    return firstState // none yet, or unreadable: the installed program runs
  }
}

/** Channel to the supervisor, which can replace the program by another version. */
export type Supervision = {
  /** Folder of the versions, and the one with the installed packages. */
  folder: string
  base: string
  tell: (message: ProgramMessage) => void
  /** Registers a listener for the stored state of an update. */
  onTold: (listener: () => void) => void
}

/** Undefined when this process was started without a supervisor. */
export function supervisionOf(env: NodeJS.ProcessEnv = process.env): Supervision | undefined {
  const [folder, base] = [env['LONGREACH_PROGRAMS'], env['LONGREACH_BASE']]
  if (!process.send || folder === undefined || base === undefined) return undefined
  return {
    folder,
    base,
    tell: (message) => void process.send?.(message),
    onTold: (listener) => void process.on('message', listener),
  }
}
