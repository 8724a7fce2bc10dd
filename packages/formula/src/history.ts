import { limits } from './limits.ts'
import type { FormulaValue } from './tree.ts'

export type Sample = { t: number; v: FormulaValue }
/** Number of past values that are needed, and their time window in ms. */
export type Reach = { values: number; windowMs: number }

/** Past values of the paths that a formula looks back at, limited to its reach. */
export class FormulaHistory {
  private readonly kept = new Map<string, Sample[]>()
  private readonly reach: ReadonlyMap<string, Reach>
  constructor(reach: ReadonlyMap<string, Reach>) {
    this.reach = reach
  }

  /** Adds a value; one older than the newest is ignored, one of the same time replaces it. */
  add(path: string, t: number, v: FormulaValue): void {
    const reach = this.reach.get(path)
    if (!reach || v === null) return
    const samples = this.kept.get(path) ?? []
    this.kept.set(path, samples)
    const newest = samples.at(-1)
    if (newest && t < newest.t) return
    if (newest?.t === t) samples.pop()
    samples.push({ t, v })
    const gone = samples.findIndex(
      (sample, index) =>
        samples.length - index <= reach.values ||
        (sample.t > t - reach.windowMs && samples.length - index <= limits.samples),
    )
    if (gone > 0) samples.splice(0, gone)
  }

  /** Oldest first. */
  samples(path: string): readonly Sample[] {
    return this.kept.get(path) ?? []
  }
}
