import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type Configuration,
  readConfiguration,
} from '@longreach/device-protocol/read-configuration'

export type Applied = {
  /** As the platform sent it, to the byte: it is compared as text. Undefined before the first. */
  text: string | undefined
  configuration: Configuration | undefined
}

const fileIn = (dir: string) => path.join(dir, 'configuration.json')

/** The configuration of the last run, so that an agent that starts while the platform is away knows what to keep. */
export function loadApplied(dir: string): Applied {
  try {
    const text = readFileSync(fileIn(dir), 'utf8')
    return { text, configuration: readConfiguration(text) }
  } catch {
    return { text: undefined, configuration: undefined } // none yet or not readable: the platform sends it again
  }
}

/** Keep the text for the next start. Throws when the disk does not take it. */
export function saveConfiguration(dir: string, text: string) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeFileSync(`${fileIn(dir)}.new`, text, { mode: 0o600 })
  renameSync(`${fileIn(dir)}.new`, fileIn(dir))
}
