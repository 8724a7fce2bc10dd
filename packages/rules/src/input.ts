/** Value that arrives: index of the input, value, quality (0 good, 1 uncertain, 2 bad). */
export type Given = readonly [input: number, v: unknown, q?: number]

/**
 * Values of one time (ms since 1970), judged together; without values, time alone passes.
 * `awaySince`: nobody listened from then until `t`, so that silence is judged anew.
 */
export type Input = { t: number; values: readonly Given[]; awaySince?: number }
