import type pg from 'pg'
import { faultOf } from './database.ts'
import type { Series, SeriesType } from './point.ts'
import { SeriesMarks } from './series-marks.ts'
import { createSeries } from './series-runs.ts'

type Wanted = Omit<Series, 'id'> & {
  resolve: (id: number) => void
  reject: (error: unknown) => void
}
const seriesKey = (org: string, device: string, path: string, type: SeriesType) =>
  `${org}\n${device}\n${path}\n${type}`

/** Series with these ids, those that there are. */
export async function seriesById(pool: pg.Pool, ids: readonly number[]): Promise<Series[]> {
  const sql = `select id, org, device, path, type from telemetry.series where id = any($1::int[])`
  return (await pool.query<Series>(sql, [ids])).rows
}

/** Ids of series. Simultaneous calls share one statement. */
export function createSeriesStore(pool: pg.Pool) {
  const ids = new Map<string, number>()
  const keys = new Map<number, string>()
  const marks = new SeriesMarks()
  const asking = new Map<string, Promise<number>>()
  let wanted: Wanted[] = []

  const remember = ({ id, org, device, path, type }: Series) => {
    const key = seriesKey(org, device, path, type)
    ids.set(key, id)
    keys.set(id, key)
    marks.set(id, 1)
  }

  async function resolveAll() {
    const asked = wanted
    wanted = []
    try {
      for (const row of await findOrMake(pool, asked)) remember(row)
      for (const { org, device, path, type, resolve, reject } of asked) {
        const id = ids.get(seriesKey(org, device, path, type))
        if (id === undefined) reject(faultOf(new Error('a series was removed meanwhile')))
        else resolve(id)
      }
    } catch (error) {
      for (const { reject } of asked) reject(faultOf(error))
    }
  }

  function seriesOf(org: string, device: string, path: string, type: SeriesType) {
    const key = seriesKey(org, device, path, type)
    const known = ids.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const waiting = asking.get(key)
    if (waiting) return waiting
    const answer = new Promise<number>((resolve, reject) => {
      if (wanted.length === 0) setImmediate(() => void resolveAll()) // it rejects the waiting calls itself
      wanted.push({ org, device, path, type, resolve, reject })
    }).finally(() => asking.delete(key))
    asking.set(key, answer)
    return answer
  }

  return {
    seriesOf,
    knownSeries: (org: string, device: string, path: string, type: SeriesType) =>
      ids.get(seriesKey(org, device, path, type)),
    isKnown: (id: number) => keys.has(id),
    areKnown: (ids: readonly number[]) => marks.all(ids),
    /** Loads ids from elsewhere; those that do not exist stay unknown. */
    async load(unknown: number[]) {
      for (const row of await seriesById(pool, unknown)) remember(row)
    },
    async findSeries(device: string, pattern?: string): Promise<Series[]> {
      const rows = await seriesOfDevice(pool, device, pattern)
      for (const row of rows) remember(row)
      return rows
    },
    async findSeriesOf(devices: readonly string[]): Promise<Series[]> {
      const rows = await seriesOfDevices(pool, devices)
      for (const row of rows) remember(row)
      return rows
    },
    /** Reloads the series of a device that moved to another organization. */
    async moved(device: string, from: string) {
      for (const [key, id] of ids) {
        if (!key.startsWith(`${from}\n${device}\n`)) continue
        ids.delete(key)
        keys.delete(id)
        marks.set(id, 0)
      }
      await this.findSeries(device)
    },
    forgetIds(gone: number[]) {
      for (const id of gone) {
        ids.delete(keys.get(id) ?? '')
        keys.delete(id)
        marks.set(id, 0)
      }
    },
  }
}
async function seriesOfDevice(pool: pg.Pool, device: string, pattern?: string) {
  const { rows } = await pool.query<Series>(
    `select id, org, device, path, type from telemetry.series
     where device = $1 and ($2::text is null or path = $2 or starts_with(path, $3))
     order by path, type, org, id`,
    [device, pattern ?? null, pattern?.endsWith('**') ? pattern.slice(0, -2) : null],
  )
  return rows
}

async function seriesOfDevices(pool: pg.Pool, devices: readonly string[]) {
  const { rows } = await pool.query<Series>(
    `select id, org, device, path, type from telemetry.series
     where device = any($1) order by path, type, org, id`,
    [devices],
  )
  return rows
}

/** Series with ids above `after`; of an organization, with `below` also of those below it. */
export async function listSeries(
  pool: pg.Pool,
  { after, limit, of }: { after: number; limit: number; of?: { org: string; below: boolean } },
) {
  const { rows } = await pool.query<Series>(
    `select id, org, device, path, type from telemetry.series
     where id > $1 and ($3::text is null or org = $3 or $4 and starts_with(org, $3 || '.'))
     order by id limit $2`,
    [after, limit, of?.org ?? null, of?.below ?? false],
  )
  return rows
}

export type SeriesStore = ReturnType<typeof createSeriesStore>

async function findOrMake(pool: pg.Pool, asked: Omit<Series, 'id'>[]): Promise<Series[]> {
  const columns = [
    asked.map(({ org }) => org),
    asked.map(({ device }) => device),
    asked.map(({ path }) => path),
    asked.map(({ type }) => type),
  ]
  const wanted = `unnest($1::text[], $2::text[], $3::text[], $4::text[]) as a (org, device, path, type)`
  const find = `select s.id, s.org, s.device, s.path, s.type from telemetry.series s
    join ${wanted} using (org, device, path, type)`
  const { rows } = await pool.query<Series>(find, columns)
  if (rows.length >= asked.length) return rows
  await createSeries(pool, asked)
  return (await pool.query<Series>(find, columns)).rows
}
