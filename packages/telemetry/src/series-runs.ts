import type pg from 'pg'
import { transaction, wholes } from './database.ts'
import type { Series } from './point.ts'
import { placeBits } from './slot.ts'

type Wanted = Omit<Series, 'id'>
/** Ids `first` to `first + length - 1` of a device, of which `used` are given. */
type Run = { device: string; first: number; used: number }

const length = 1 << placeBits

/**
 * Creates the series of a list that do not exist. A new series gets the next id of its device's run of 32;
 * a new run begins at the next free multiple of 32. Safe when several processes create at once.
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
      `insert into telemetry.series_run as r (device, first, used)
       select * from unnest($1::text[], $2::int[], $3::int[])
       on conflict (device) do update set first = excluded.first, used = excluded.used`,
      [
        changed.map(({ device }) => device),
        wholes(changed.map(({ first }) => first)),
        wholes(changed.map(({ used }) => used)),
      ],
    )
  })

/** Runs of some devices, locked. All processes lock them in one order, so none waits for ever. */
async function lockRuns(client: pg.PoolClient, devices: string[]) {
  // A run that is used up stands for none, so that there is a row to lock.
  await client.query(
    `insert into telemetry.series_run (device, first, used)
     select device, 0, ${length} from unnest($1::text[]) as u (device) order by device
     on conflict do nothing`,
    [devices],
  )
  const { rows } = await client.query<Run>(
    `select device, first, used from telemetry.series_run
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
  const used = missing.map(({ device }) => device)
  const counts = new Map<string, number>()
  for (const device of used) counts.set(device, (counts.get(device) ?? 0) + 1)
  const needed = [...counts].map(([device, count]) => {
    const left = length - (runs.get(device)?.used ?? length)
    return Math.ceil(Math.max(0, count - left) / length)
  })
  const fresh = await takeRuns(
    client,
    needed.reduce((sum, count) => sum + count, 0),
  )
  return used.map((device) => {
    let run = runs.get(device)
    if (!run || run.used === length) {
      run = { device, first: fresh.shift() ?? 0, used: 0 }
      runs.set(device, run)
    }
    run.used += 1
    return run.first + run.used - 1
  })
}

/** Beginnings of runs that nobody has. */
async function takeRuns(client: pg.PoolClient, count: number) {
  const { rows } = await client.query<{ first: number }>(
    `select (nextval('telemetry.run') * ${length})::int as first from generate_series(1, $1::int)`,
    [count],
  )
  return rows.map(({ first }) => first)
}

const columnsOf = (series: readonly Wanted[]) => [
  series.map(({ org }) => org),
  series.map(({ device }) => device),
  series.map(({ path }) => path),
  series.map(({ type }) => type),
]
