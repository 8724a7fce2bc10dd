import type { Sample } from './history.ts'
import type { FormulaValue } from './tree.ts'

/** What a formula sees while it runs. */
export type Scene = {
  /** By the index of the variable. */
  values: readonly FormulaValue[]
  /** ms since 1970. */
  t: number
  samples: (path: string) => readonly Sample[]
}
export type Run = (scene: Scene) => FormulaValue
