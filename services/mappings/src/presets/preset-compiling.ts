import { inWorker } from '@longreach/kit/worker-pool'
import { type Compilable, compilePreset } from './compile-preset.ts'

type Tree = Record<string, unknown>

/** Below this many characters a preset is compiled before another thread would have begun. */
const short = 50_000
const compiling = { module: new URL(import.meta.url), name: 'compileText' }

/** The configuration of a preset that was judged good; of a large one it is made in another thread. */
export async function compiledPreset({ id, uuid, json }: Compilable): Promise<string> {
  const text = JSON.stringify(json)
  const compiled =
    text.length < short
      ? compilePreset({ id, uuid, json })
      : await inWorker<string | undefined>(compiling, id, uuid, text)
  if (compiled === undefined) throw new Error('A judged preset did not compile')
  return compiled
}

/** The same of a text, as it goes to the thread. */
export const compileText = (id: string, uuid: string, text: string) =>
  compilePreset({ id, uuid, json: JSON.parse(text) as Tree })
