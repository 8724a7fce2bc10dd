import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type Configuration,
  readConfiguration,
} from '@longreach/device-protocol/read-configuration'

export type Applied = {
  /**
   * Text exactly as the platform sent it, because it is compared as text; undefined before the
   * first.
   */
  text: string | undefined
  configuration: Configuration | undefined
}

const configurationFile = (dir: string) => path.join(dir, 'configuration.json')

/** Configuration of the last run, for a start without the platform. */
export function loadApplied(dir: string): Applied {
  try {
    const text = readFileSync(configurationFile(dir), 'utf8')
    return { text, configuration: readConfiguration(text) }
  } catch {
    return { text: undefined, configuration: undefined } // none yet or unreadable: the platform sends it again
  }
}

/** Stores the configuration for the next start. Throws when the disk refuses. */
export function saveConfiguration(dir: string, text: string) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeFileSync(`${configurationFile(dir)}.new`, text, { mode: 0o600 })
  renameSync(`${configurationFile(dir)}.new`, configurationFile(dir))
}
