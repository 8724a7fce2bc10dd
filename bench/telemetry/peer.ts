import type { Rows, Shape } from './signals.ts'

export type Span = { since: number; to: number }

/** Size of an answer and the sum of its values, which is equal for two stores that agree. */
export type Answer = { count: number; sum: number }

/** One store under test. Series go by number, 0 to `shape.series - 1`. */
export type Peer = {
  name: string
  /** Prepare for a shape; the store is empty. */
  open: (shape: Shape) => Promise<void>
  /**
   * The rows as this store's client sends them. What it returns sends them, and resolves when the
   * store says that they are safe.
   */
  prepare: (rows: Rows) => () => Promise<unknown>
  /** Bring everything to where it rests; what it takes counts as part of the ingest. */
  settle: () => Promise<void>
  bytes: () => Promise<number>
  /** The newest value of each. */
  last: (series: number[]) => Promise<Answer>
  /** Every value of a series. */
  raw: (series: number, span: Span) => Promise<Answer>
  /** Least, greatest and mean value of each bucket; the sum is that of greatest and mean. */
  buckets: (series: number[], span: Span, width: number) => Promise<Answer>
  close: () => Promise<void>
}
