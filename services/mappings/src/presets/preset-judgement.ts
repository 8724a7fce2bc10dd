import { inWorker } from '@longreach/kit/worker-pool'
import { type JudgedPreset, judgePreset } from './preset-rules.ts'

type Tree = Record<string, unknown>
export type Verdict = Omit<JudgedPreset, 'nodes'>

/** Below this many characters a preset is judged before another thread would have begun. */
const short = 50_000
const judging = { module: new URL(import.meta.url), name: 'judgePresetTexts' }

/** Everything wrong with a preset for this model; of a large one in another thread. */
export async function judgedPreset(preset: Tree, model: Tree): Promise<Verdict> {
  const text = JSON.stringify(preset)
  if (text.length < short) return judgePreset(preset, model)
  return inWorker(judging, text, JSON.stringify(model))
}

/** The same of two texts, as they go to the thread. */
export function judgePresetTexts(preset: string, model: string): Verdict {
  const { nodes: _, ...verdict } = judgePreset(
    JSON.parse(preset) as Tree,
    JSON.parse(model) as Tree,
  )
  return verdict
}
