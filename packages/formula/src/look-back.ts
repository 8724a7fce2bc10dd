import { numberOf } from './convert.ts'
import { historyFunctions, tamed } from './functions.ts'
import type { Reach, Sample } from './history.ts'
import { relativePath } from './paths.ts'
import type { Run, Scene } from './scene.ts'
import { type CallNode, everyPart, type FormulaNode, type FormulaValue } from './tree.ts'

type LookBack = { path: string; windowMs: number }

/** Path and reach of a call over past values; undefined for other calls. */
function lookBackOf({ name, args }: CallNode): LookBack | undefined {
  const [first, second] = args
  if (!historyFunctions.has(name) || first?.kind !== 'path') return undefined
  const seconds = second?.kind === 'literal' ? Number(second.value) : 0
  return { path: relativePath(first.path), windowMs: seconds * 1_000 }
}

/** Required past values by path. */
export function reachOf(tree: FormulaNode): Map<string, Reach> {
  const reaches = new Map<string, Reach>()
  for (const node of everyPart(tree)) {
    const found = node.kind === 'call' ? lookBackOf(node) : undefined
    if (!found) continue
    const windowMs = Math.max(found.windowMs, reaches.get(found.path)?.windowMs ?? 0)
    reaches.set(found.path, { values: 2, windowMs })
  }
  return reaches
}

/** Compiled call over past values; undefined for other calls. */
export function compiledLookBack(node: CallNode): Run | undefined {
  const found = lookBackOf(node)
  if (!found) return undefined
  const { path, windowMs } = found
  const compute = computers[node.name]
  return compute && ((scene) => tamed(compute(scene.samples(path), scene, windowMs)))
}

type Compute = (samples: readonly Sample[], scene: Scene, windowMs: number) => FormulaValue

function steps(samples: readonly Sample[]) {
  const [now, before] = [samples.at(-1), samples.at(-2)]
  const [v, last] = [numberOf(now?.v ?? null), numberOf(before?.v ?? null)]
  if (!now || !before || v === null || last === null) return undefined
  return { delta: v - last, seconds: (now.t - before.t) / 1_000 }
}

/** Numbers within the last `windowMs` before the time of evaluation, including it. */
function numbersWithin(samples: readonly Sample[], { t }: Scene, windowMs: number): number[] {
  const numbers: number[] = []
  for (const sample of samples) {
    const number = sample.t > t - windowMs && sample.t <= t ? numberOf(sample.v) : null
    if (number !== null) numbers.push(number)
  }
  return numbers
}

const over =
  (compute: (numbers: readonly number[]) => number): Compute =>
  (samples, scene, windowMs) => {
    const numbers = numbersWithin(samples, scene, windowMs)
    return numbers.length === 0 ? null : compute(numbers)
  }

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

const computers: Readonly<Record<string, Compute>> = {
  previous: (samples) => samples.at(-2)?.v ?? null,
  delta: (samples) => steps(samples)?.delta ?? null,
  rate: (samples) => {
    const step = steps(samples)
    return step ? step.delta / step.seconds : null
  },
  avgOver: over((numbers) => sum(numbers) / numbers.length),
  minOver: over((numbers) => Math.min(...numbers)),
  maxOver: over((numbers) => Math.max(...numbers)),
  sumOver: over(sum),
  countOver: (samples, scene, windowMs) => numbersWithin(samples, scene, windowMs).length,
}
