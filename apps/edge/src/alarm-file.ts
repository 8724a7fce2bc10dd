import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Rule } from '@longreach/rules/rule'
import type { Instance } from '@longreach/rules/state'
import { z } from 'zod'
import type { Occurrence } from './alarm-occurrence.ts'

/** State of an alarm: its rule as it was judged last, that state, and the latest occurrence. */
export type SavedAlarm = { rule: Rule; instance: Instance; occurrence?: Occurrence }
/** Alarms by name; `at` is the time until which they were judged. */
export type SavedAlarms = { at: number; alarms: Record<string, SavedAlarm> }

const isObject = (part: unknown) => typeof part === 'object' && part !== null
const Saved = z.object({
  at: z.number(),
  alarms: z.record(
    z.string(),
    z.object({
      rule: z.custom<Rule>(isObject),
      instance: z.custom<Instance>(isObject),
      occurrence: z.custom<Occurrence>(isObject).optional(),
    }),
  ),
})

const fileIn = (dir: string) => path.join(dir, 'alarms.json')

/** Alarms of the last run; undefined when there are none. Throws when they cannot be read. */
export function readAlarms(dir: string): SavedAlarms | undefined {
  try {
    return Saved.parse(JSON.parse(readFileSync(fileIn(dir), 'utf8'))) as SavedAlarms
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Stores the alarms for the next start. Throws when the disk refuses. */
export function saveAlarms(dir: string, saved: SavedAlarms) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeFileSync(`${fileIn(dir)}.new`, JSON.stringify(saved), { mode: 0o600, flush: true })
  renameSync(`${fileIn(dir)}.new`, fileIn(dir))
}
