/** Limits that bound the cost of any text before it runs. */
export const limits = {
  /** Characters of a formula. */
  length: 10_000,
  /** Numbers, texts, paths, operators and calls of a formula. */
  nodes: 1_000,
  /** Nesting of brackets, signs and conditions. */
  depth: 50,
  /** Characters of a text result. */
  text: 10_000,
  /** Longest window of `avgOver` and similar functions, in seconds. */
  windowS: 86_400,
  /** Largest number of past values of a path. */
  samples: 3_600,
} as const
