import type { Figure } from '@longreach/formula/figures'
import type { Steps } from '@longreach/calendar/steps'

/** After alignment and formula: a figure of each stretch, or of the stretch before each row. */
export type Window =
  | { mode: 'SCALAR'; figure: Figure; steps: Steps }
  | { mode: 'MOVING'; figure: Figure; width: number }
