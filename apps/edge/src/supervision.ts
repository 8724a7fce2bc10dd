import { readFileSync } from 'node:fs'
import path from 'node:path'
import { UpdateState } from '@longreach/device-protocol/agent-wire'
import { z } from 'zod'

/** What the program that is under supervision tells the one above it. */
export const ProgramMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connected') }),
  z.object({ kind: z.literal('update'), version: z.string() }),
])
export type ProgramMessage = z.output<typeof ProgramMessage>

export const ProgramState = z.object({
  /** The version that runs; empty: the one that was installed. */
  current: z.string(),
  previous: z.string().nullable(),
  /** A version that has not shown yet that it connects. */
  trial: z.object({ version: z.string(), from: z.string() }).nullable(),
  last: UpdateState.nullable(),
})
export type ProgramState = z.output<typeof ProgramState>
const firstState: ProgramState = { current: '', previous: null, trial: null, last: null }

/** Where versions of the program are, below the data folder. */
export const programFolder = (dataDir: string) => path.join(dataDir, 'program')

export function readState(folder: string): ProgramState {
  try {
    return ProgramState.parse(JSON.parse(readFileSync(path.join(folder, 'state.json'), 'utf8')))
  } catch {
    return firstState // none yet, or a disk took it: the installed program runs
  }
}

/** The line to the program that started this one, and that can put another version in its place. */
export type Supervision = {
  /** The folder with versions, and the one where the packages are installed. */
  folder: string
  base: string
  tell: (message: ProgramMessage) => void
  /** Call the listener when the state of an update was written. */
  onTold: (listener: () => void) => void
}

/** Undefined when this process was started by hand. */
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
