/** What keeps a hostile text cheap: everything about it is bounded before it runs. */
export const limits = {
  /** Characters of a formula. */
  length: 10_000,
  /** Numbers, texts, paths, operators and calls of a formula. */
  nodes: 1_000,
  /** Brackets, signs and conditions inside each other. */
  depth: 50,
  /** Characters of a text that comes out. */
  text: 10_000,
  /** Seconds that `avgOver` and its like look back. */
  windowS: 86_400,
  /** Newest values of a path that they look at. */
  samples: 3_600,
} as const
