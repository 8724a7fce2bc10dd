/** Limits of a rule: they bound its size, and with it the cost of judging a value. */
export const ruleLimits = {
  /** Longest delay: a year. */
  delayMs: 31_536_000_000,
  /** Nesting of groups in a condition. */
  depth: 16,
  /** Comparisons of a condition. */
  leaves: 50,
  /** Parts of one group. */
  parts: 20,
  levels: 4,
  /** Characters of a path. */
  path: 500,
  /** Characters of a text that people read. */
  text: 2_000,
  /** Characters of a name, class or group. */
  name: 100,
  /** Placeholders of paths in all texts of a rule. */
  placeholders: 20,
  windows: 50,
  exceptDates: 366,
  /** Faults that one answer lists. */
  issues: 50,
} as const
