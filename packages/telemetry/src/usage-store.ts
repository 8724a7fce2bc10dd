import type pg from 'pg'
import { faultOf } from './database.ts'
import type { Keys } from './keys.ts'
import { slotBits } from './slot.ts'
import { storedParts } from './stored-parts.ts'

/**
 * Stored amount of some series. Bytes are those of chunks including the cost of their rows; growth
 * covers the last days.
 */
export type Usage = {
  org: string
  /** Empty in a sum over devices. */
  device: string
  /** Empty in a sum over paths. */
  path: string
  values: number
  bytes: number
  valuesPerDay: number
  bytesPerDay: number
  /** Times of the oldest and newest value in chunks, in ms since 1970. */
  oldest: number
  newest: number
}
export type UsageQuestion = {
  /** Organization, with `below` also those below it. */
  org: string
  below: boolean
  device?: string
  /** Subject of a row. */
  by: 'organization' | 'device' | 'path'
  now: number
}

/** Days over which growth is measured. */
export const growthDays = 7
const dayMs = 86_400_000
// Measured bytes of a chunk's row, index entry and line pointers; a part of a bundle has a share of
// its row.
const rowBytes = 190
const partBytes = 35

const columnsOf = {
  organization: `s.org, '' as device, '' as path`,
  device: `s.org, s.device, '' as path`,
  path: `s.org, s.device, s.path`,
}

/**
 * Stored amounts, largest first. It reads the row of every chunk of the organization, but not its
 * bytes.
 */
export async function readUsage(
  pool: pg.Pool,
  keys: Keys,
  question: UsageQuestion,
): Promise<Usage[]> {
  const { org, below, device, by, now } = question
  // A chunk that began before the last days counts with the share of its time within them.
  const recent = `case when c.t1 < $4 then 0 when c.t0 >= $4 then 1
    else (c.t1 - $4 + 1)::float8 / (c.t1 - c.t0 + 1) end`
  try {
    const { rows } = await pool.query<Usage>(
      `select ${columnsOf[by]}, sum(c.n)::float8 as values, sum(b.bytes)::float8 as bytes,
         sum(c.n * ${recent})::float8 / ${growthDays} as "valuesPerDay",
         sum(b.bytes * ${recent})::float8 / ${growthDays} as "bytesPerDay",
         min(c.t0)::float8 as oldest, max(c.t1)::float8 as newest
       from telemetry.series s
       join ${storedParts(keys)} c on c.series = s.id and c.slot = s.id >> ${slotBits}
       cross join lateral
         (select c.bytes + case when c.bundled then ${partBytes} else ${rowBytes} end as bytes) b
       where (s.org = $1 or $2 and starts_with(s.org, $1 || '.')) and ($3::text is null or s.device = $3)
       group by 1, 2, 3 order by bytes desc`,
      [org, below, device ?? null, now - growthDays * dayMs],
    )
    return rows
  } catch (error) {
    throw faultOf(error)
  }
}
