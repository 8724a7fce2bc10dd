import type pg from 'pg'
import { transaction, wholes } from './database.ts'
import type { Series } from './point.ts'
import { placeBits, slotBits } from './slot.ts'

type Wanted = Omit<Series, 'id'>
/** Ids `first` to `first + size - 1` of a device, of which `used` are given. */
type Run = { device: string; first: number; size: number; used: number }

/**
 * Sizes of runs. A slot holds runs of one size, so that the values of small devices are packed as closely as those of
 * large ones.
 */
const largest = 1 << placeBits
const sizes = [4, 8, 16, largest]

/**
 * Creates the series of a list that do not exist. A new series gets the next id of its device's run. A device's
 * first run holds what was asked for, each later one twice as much as the one before, up to 32.
 * Safe when several processes create at once.
 */
export const createSeries = (pool: pg.Pool, asked: readonly Wanted[]) =>
  transaction(pool, async (client) => {
    const devices = [...new Set(asked.map(({ device }) => device))]
    const runs = await lockRuns(client, devices)
    const missing = await missingOf(client, asked)
    if (missing.length === 0) return
    const ids = await takeIds(client, runs, missing)
    await client.query(
      `insert into telemetry.series (id, org, device, path, type)
       select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[])
       on conflict do nothing`,
      [wholes(ids), ...columnsOf(missing)],
    )
    const changed = [...runs.values()]
    await client.query(
      `insert into telemetry.series_run (device, first, size, used)
       select * from unnest($1::text[], $2::int[], $3::int[], $4::int[])
       on conflict (device) do update
         set first = excluded.first, size = excluded.size, used = excluded.used`,
      [
        changed.map(({ device }) => device),
        wholes(changed.map(({ first }) => first)),
        wholes(changed.map(({ size }) => size)),
        wholes(changed.map(({ used }) => used)),
      ],
    )
  })

/** Runs of some devices, locked. All processes lock them in one order, so none waits for ever. */
async function lockRuns(client: pg.PoolClient, devices: string[]) {
  // A run of no ids stands for none, so that there is a row to lock.
  await client.query(
    `insert into telemetry.series_run (device, first, size, used)
     select device, 0, 0, 0 from unnest($1::text[]) as u (device) order by device
     on conflict do nothing`,
    [devices],
  )
  const { rows } = await client.query<Run>(
    `select device, first, size, used from telemetry.series_run
     where device = any($1::text[]) order by device for update`,
    [devices],
  )
  return new Map(rows.map((run) => [run.device, run]))
}

/** Series that no other process has created before the runs were locked, in the order of their index. */
async function missingOf(client: pg.PoolClient, asked: readonly Wanted[]) {
  const { rows } = await client.query<Wanted>(
    `select a.org, a.device, a.path, a.type
     from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as a (org, device, path, type)
     left join telemetry.series s using (org, device, path, type)
     where s.id is null order by device, path, org, type`,
    columnsOf(asked),
  )
  return rows
}

/** An id for each series, from its device's run; `runs` are changed to what is left of them. */
async function takeIds(client: pg.PoolClient, runs: Map<string, Run>, missing: Wanted[]) {
  const counts = new Map<string, number>()
  for (const { device } of missing) counts.set(device, (counts.get(device) ?? 0) + 1)
  const needed = [...counts].flatMap(([device, count]) => newSizes(runs.get(device), count))
  const fresh = (await takeRuns(client, needed)).values()
  return missing.map(({ device }) => {
    let run = runs.get(device)
    if (!run || run.used === run.size) {
      const { first, size } = fresh.next().value ?? { first: 0, size: 0 }
      run = { device, first, size, used: 0 }
      runs.set(device, run)
    }
    run.used += 1
    return run.first + run.used - 1
  })
}

/** Sizes of the runs that a device needs besides what is left of its present one, to give `count` ids. */
function newSizes(
  { size, used }: Pick<Run, 'size' | 'used'> = { size: 0, used: 0 },
  count: number,
) {
  const found: number[] = []
  let [before, rest] = [size, count - (size - used)]
  while (rest > 0) {
    before = sizes.find((each) => each >= Math.max(2 * before, rest)) ?? largest
    found.push(before)
    rest -= before
  }
  return found
}

/**
 * Runs that nobody has, in the order asked for. Those of the n-th size lie in the slots whose number divided
 * by 4 leaves n, one behind the other; sequences give their numbers, so no two processes get the same.
 */
async function takeRuns(client: pg.PoolClient, wanted: number[]) {
  const { rows } = await client.query<{ number: number; size: number }>(
    `select nextval('telemetry.run_of_' || size)::int as number, size
     from unnest($1::int[]) with ordinality as u (size, nth) order by nth`,
    [wanted],
  )
  return rows.map(({ number, size }) => {
    const inSlot = (1 << slotBits) / size
    const slot = Math.floor(number / inSlot) * sizes.length + sizes.indexOf(size)
    return { size, first: (slot << slotBits) + (number % inSlot) * size }
  })
}

const columnsOf = (series: readonly Wanted[]) => [
  series.map(({ org }) => org),
  series.map(({ device }) => device),
  series.map(({ path }) => path),
  series.map(({ type }) => type),
]
