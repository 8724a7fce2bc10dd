import type pg from 'pg'
import { slotBits } from './bundle.ts'
import { faultOf } from './database.ts'

/** What some series take. Bytes are those of their chunks with what each row costs; growth is that of the last days. */
export type Usage = {
  org: string
  /** Empty where devices are added up. */
  device: string
  /** Empty where paths are added up. */
  path: string
  values: number
  bytes: number
  valuesPerDay: number
  bytesPerDay: number
  /** Times of the oldest and the newest value in chunks, ms since 1970. */
  oldest: number
  newest: number
}
export type UsageQuestion = {
  /** This organization, and with `below` those under it. */
  org: string
  below: boolean
  device?: string
  /** What a row stands for. */
  by: 'organization' | 'device' | 'path'
  now: number
}

/** Growth is measured over so many days. */
export const growthDays = 7
const dayMs = 86_400_000
// A chunk's row, its place in the index and the line pointers, as measured; a part of a bundle has a share of its row.
const rowBytes = 190
const partBytes = 35

const columnsOf = {
  organization: `s.org, '' as device, '' as path`,
  device: `s.org, s.device, '' as path`,
  path: `s.org, s.device, s.path`,
}

/** Answers the heaviest first. Costs a look at the row of every chunk of the organization, not at its bytes. */
export async function usageOf(pool: pg.Pool, question: UsageQuestion): Promise<Usage[]> {
  const { org, below, device, by, now } = question
  // A chunk that began before the last days counts with the part of its time that lies in them.
  const recent = `case when c.t1 < $4 then 0 when c.t0 >= $4 then 1
    else (c.t1 - $4 + 1)::float8 / (c.t1 - c.t0 + 1) end`
  try {
    const { rows } = await pool.query<Usage>(
      `select ${columnsOf[by]}, sum(c.n)::float8 as values, sum(b.bytes)::float8 as bytes,
         sum(c.n * ${recent})::float8 / ${growthDays} as "valuesPerDay",
         sum(b.bytes * ${recent})::float8 / ${growthDays} as "bytesPerDay",
         min(c.t0)::float8 as oldest, max(c.t1)::float8 as newest
       from telemetry.series s
       join telemetry.part c on c.series = s.id and c.slot = s.id >> ${slotBits}
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
