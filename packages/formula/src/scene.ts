import type { Sample } from './history.ts'
import type { FormulaValue } from './tree.ts'

/** Inputs of one evaluation. */
export type Scene = {
  /** Values by the index of the variable. */
  values: readonly FormulaValue[]
  /** Time of evaluation in ms since 1970. */
  t: number
  samples: (path: string) => readonly Sample[]
}
export type Run = (scene: Scene) => FormulaValue
