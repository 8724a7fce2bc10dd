import type pg from 'pg'
import type { Series } from './point.ts'
import { seriesById } from './series-store.ts'

/** Series, and the time of its oldest value in some blocks. */
type Touched = { series: Series; since: number }

/**
 * Handing over of values to who deals with each of them once: those of a process that died before it had done
 * so are found in its blocks.
 */
export type HandOver = {
  /** Of these blocks, those with values that nobody has dealt with. */
  open(versions: readonly number[]): Promise<ReadonlySet<number>>
  /** Takes series in such blocks, each with the time of its oldest value there. */
  take(touched: readonly Touched[], versions: readonly number[]): Promise<void>
  /** Resolves when all values that are durable now have been dealt with, or when it takes too long. */
  done(): Promise<void>
}

type Over = { pool: pg.Pool; handOver?: HandOver }

/** Hands series over by their ids, each with its oldest time. */
export async function handOverTouched(
  { pool, handOver }: Over,
  since: ReadonlyMap<number, number>,
  versions: readonly number[],
) {
  if (since.size === 0) return
  const found = await seriesById(pool, [...since.keys()])
  const touched = found.map((series) => ({ series, since: since.get(series.id) ?? 0 }))
  await handOver?.take(touched, versions)
}
