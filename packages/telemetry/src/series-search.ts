import type pg from 'pg'
import type { Series } from './point.ts'

/** Search terms: words that occur in the path, in any order. */
export type SeriesSearch = { org: string; below: boolean; words: readonly string[]; limit: number }

/** Series of an organization, and with `below` of those below it, whose path contains all words. */
export async function searchSeries(
  pool: pg.Pool,
  { org, below, words, limit }: SeriesSearch,
): Promise<Series[]> {
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const { rows } = await pool.query<Series>(
    `select id, org, device, path, type from telemetry.series
     where (org = $1 or ($2 and starts_with(org, $1 || '.'))) and path ilike all ($3::text[])
     order by length(path), path, device limit $4`,
    [org, below, patterns, limit],
  )
  return rows
}
