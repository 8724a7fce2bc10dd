import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Machine } from './plant-machine.ts'

const Kept = z.record(
  z.string(),
  z.object({ at: z.number(), port: z.int(), state: z.record(z.string(), z.unknown()) }),
)
type Kept = z.output<typeof Kept>

/** Machine states and ports of the last run; empty at the first start. */
export function readMachineStates(file: string): Kept {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** Stores machine states atomically. */
export function saveMachineStates(file: string, state: Kept) {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/**
 * Machine restored from its stored state; properties that the kind gained since are as in a new
 * one.
 */
export function resume<State extends object>(
  machine: Machine<State>,
  kept: Kept[string] | undefined,
): Machine<State> {
  if (!kept || kept.at < machine.at) return machine
  return { ...machine, at: kept.at, state: { ...machine.state, ...(kept.state as Partial<State>) } }
}
