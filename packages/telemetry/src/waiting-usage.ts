import type pg from 'pg'
import { faultOf } from './database.ts'
import type { Live } from './live.ts'
import { growthDays, type Usage, type UsageQuestion } from './usage-store.ts'

const dayMs = 86_400_000
/** Measured bytes of a value in the write-ahead table. */
const waitingBytes = 10

type Found = { id: number; org: string; device: string; path: string }

/**
 * Stored amount of values that this process holds and has not moved into chunks: with little
 * traffic at most half an hour. Rows are like those of chunks. Values of other processes are not
 * included.
 */
export async function waitingUsage(
  pool: pg.Pool,
  live: Live,
  { org, below, device, by, now }: UsageQuestion,
): Promise<Usage[]> {
  const waiting = new Map(live.waiting().map((one) => [one.id, one]))
  if (waiting.size === 0) return []
  try {
    const { rows } = await pool.query<Found>(
      `select s.id, s.org, s.device, s.path from telemetry.series s
       where (s.org = $1 or $2 and starts_with(s.org, $1 || '.')) and ($3::text is null or s.device = $3)
         and s.id = any($4)`,
      [org, below, device ?? null, [...waiting.keys()]],
    )
    const recent = now - growthDays * dayMs
    return rows.flatMap((row) => {
      const one = waiting.get(row.id)
      return one ? [toUsage(one, usageKey(row, by), recent)] : []
    })
  } catch (error) {
    throw faultOf(error)
  }
}

const usageKey = ({ org, device, path }: Found, by: UsageQuestion['by']) => ({
  org,
  device: by === 'organization' ? '' : device,
  path: by === 'path' ? path : '',
})

function toUsage(
  { values, oldest, newest }: ReturnType<Live['waiting']>[number],
  key: ReturnType<typeof usageKey>,
  recent: number,
): Usage {
  // As if the values were spread evenly over their time.
  const share =
    newest < recent ? 0 : (newest - Math.max(oldest, recent) + 1) / (newest - oldest + 1)
  const perDay = (values * share) / growthDays
  return {
    ...key,
    values,
    bytes: values * waitingBytes,
    valuesPerDay: perDay,
    bytesPerDay: perDay * waitingBytes,
    oldest,
    newest,
  }
}

/** Rows with the same subject added up, largest first. */
export function sumUsage(rows: readonly Usage[]): Usage[] {
  const groups = Map.groupBy(rows, ({ org, device, path }) => `${org}\n${device}\n${path}`)
  const sum = (group: readonly Usage[], of: (row: Usage) => number) =>
    group.reduce((total, row) => total + of(row), 0)
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      return {
        ...first,
        values: sum(group, ({ values }) => values),
        bytes: sum(group, ({ bytes }) => bytes),
        valuesPerDay: sum(group, ({ valuesPerDay }) => valuesPerDay),
        bytesPerDay: sum(group, ({ bytesPerDay }) => bytesPerDay),
        oldest: Math.min(...group.map(({ oldest }) => oldest)),
        newest: Math.max(...group.map(({ newest }) => newest)),
      }
    })
    .toSorted((a, b) => b.bytes - a.bytes)
}
