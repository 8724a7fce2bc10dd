import type { Rows, Shape } from './signals.ts'

export type Span = { since: number; to: number }

/** One store under test. Series go by number, 0 to `shape.series - 1`. */
export type Peer = {
  name: string
  /** Prepare for a shape; the store is empty. */
  open: (shape: Shape) => Promise<void>
  /** Resolves when the store says that the rows are safe. */
  write: (rows: Rows) => Promise<void>
  /** Bring everything to where it rests; what it takes counts as part of the ingest. */
  settle: () => Promise<void>
  bytes: () => Promise<number>
  last: (series: number[]) => Promise<number>
  raw: (series: number, span: Span) => Promise<number>
  buckets: (series: number[], span: Span, width: number) => Promise<number>
  close: () => Promise<void>
}
