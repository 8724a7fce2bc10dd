import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { checkSources, type SourceSettings } from './source-settings.ts'

const Kept = z.object({ version: z.int().min(1), at: z.number(), sources: z.array(z.unknown()) })

/** List of sources: version 0 are those from the start, later versions were set remotely. */
export type SourceList = { version: number; at: number; sources: SourceSettings[] }

const current = (dir: string) => path.join(dir, 'sources.json')
const previous = (dir: string) => path.join(dir, 'sources.previous.json')

/** Stored list; undefined when there is none, or when it is unusable. */
export const readSources = (dir: string) => read(current(dir))
/** List before the stored one. */
export const previousSources = (dir: string) => read(previous(dir))

function read(file: string): SourceList | undefined {
  try {
    const kept = Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
    const checked = checkSources(kept.sources)
    return checked.ok ? { ...kept, sources: checked.sources } : undefined
  } catch {
    return undefined // none stored, or unreadable: the agent uses the settings of its start
  }
}

/**
 * Stores the list and the one before it; after a crash one of both is complete. Throws when the
 * disk refuses.
 */
export function saveSources(dir: string, list: SourceList, before: SourceList) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const write = (file: string, what: SourceList) => {
    writeFileSync(`${file}.new`, JSON.stringify(what, undefined, 2), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  write(previous(dir), { ...before, version: Math.max(1, before.version) })
  write(current(dir), list)
}
