export const consequences = ['none', 'minor', 'major', 'severe'] as const
export type Consequence = (typeof consequences)[number]

const minute = 60_000

/**
 * Severity proposed for a consequence and the time there is to respond, in ms: less than 3 minutes, 10
 * minutes, half an hour or more, as in the matrix of EEMUA 191.
 */
export function proposedSeverity(consequence: Consequence, respondWithinMs: number | undefined) {
  if (consequence === 'none') return 0
  const time = respondWithinMs ?? Number.POSITIVE_INFINITY
  const urgency = time < 3 * minute ? 0 : time < 10 * minute ? 1 : time <= 30 * minute ? 2 : 3
  return matrix[consequence][urgency] ?? 1
}

const matrix: Readonly<Record<Exclude<Consequence, 'none'>, readonly number[]>> = {
  minor: [3, 1, 1, 1],
  major: [5, 5, 3, 1],
  severe: [6, 6, 5, 3],
}
