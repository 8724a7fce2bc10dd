import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { checkSources, type SourceSettings } from './source-settings.ts'

const Kept = z.object({ version: z.int().min(1), at: z.number(), sources: z.array(z.unknown()) })

/** The agent's sources: version 0 are the ones that it was started with, later ones were set from afar. */
export type SourceList = { version: number; at: number; sources: SourceSettings[] }

const current = (dir: string) => path.join(dir, 'sources.json')
const previous = (dir: string) => path.join(dir, 'sources.previous.json')

/** The list that was kept last; undefined when none was, or when it cannot be used any more. */
export const keptSources = (dir: string) => read(current(dir))
/** The list before it. */
export const previousSources = (dir: string) => read(previous(dir))

function read(file: string): SourceList | undefined {
  try {
    const kept = Kept.parse(JSON.parse(readFileSync(file, 'utf8')))
    const checked = checkSources(kept.sources)
    return checked.ok ? { ...kept, sources: checked.sources } : undefined
  } catch {
    return undefined // none was kept, or a disk took it: the agent goes on with what it was started with
  }
}

/** Keep the list, and the one before it beside; a crash leaves the one or the other. Throws when the disk does not take it. */
export function keepSources(dir: string, list: SourceList, before: SourceList) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const write = (file: string, what: SourceList) => {
    writeFileSync(`${file}.new`, JSON.stringify(what, undefined, 2), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  write(previous(dir), { ...before, version: Math.max(1, before.version) })
  write(current(dir), list)
}
