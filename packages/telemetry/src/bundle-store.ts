import type pg from 'pg'
import { bundlesOf, partsIn, type Bundle } from './bundle.ts'
import { decodeChunk } from './chunk-codec.ts'
import { wholes } from './database.ts'
import { slotOf } from './slot.ts'

/** Part of one series in a bundle. */
export type StoredPart = { series: number; t0: number; t1: number; version: number; data: Buffer }

/** Lock of transactions that delete bundles: one that forgets a series sees what others are about to write. */
export const lockBundles = (client: pg.PoolClient) =>
  client.query(`select pg_advisory_xact_lock($1)`, [7_210_545])

const insert = `with made as (insert into telemetry.bundle
    (slot, t0, t1, version, n, raw, series, starts, ends, counts, upto, data)
  select slot, t0, t1, version, n, raw,
    ($9::int[])[first:last], ($10::bigint[])[first:last], ($11::bigint[])[first:last],
    ($12::int[])[first:last], ($13::int[])[first:last], substring($14::bytea from at + 1 for size)
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::int[],
    $7::int[], $8::int[], $15::int[], $16::int[])
    as u (slot, t0, t1, version, n, raw, first, last, at, size)
  on conflict do nothing
  returning slot)
  select slot from unnest($1::int[]) as u (slot) where slot not in (select slot from made)`

/**
 * Writes bundles, one of a slot. A bundle whose key is there already gets the parts of that one too: a
 * slice that is written again after a lost answer, or the blocks of a dead process that it had already moved.
 */
export async function insertBundles(client: pg.PoolClient, bundles: Bundle[]) {
  const again = await insertNew(client, bundles)
  if (again.length === 0) return
  await lockBundles(client)
  for (const bundle of again) {
    const { slot, version, parts } = bundle
    const key = { slot, version, t0: firstOf(bundle) }
    const there = (await takeBundle(client, key)).map((part) => {
      return { ...part, n: decodeChunk(part.data).t.length }
    })
    const joined = bundlesOf([...there, ...parts], () => version)
    await insertBundles(client, joined)
  }
}

const firstOf = ({ parts }: Bundle) => Math.min(...parts.map(({ t0 }) => t0))

/** Writes bundles in one statement, with one array for each column of their parts; returns those already there. */
async function insertNew(client: pg.PoolClient, bundles: Bundle[]) {
  if (bundles.length === 0) return []
  const parts = bundles.flatMap((bundle) => bundle.parts)
  const firsts = running(bundles.map((bundle) => bundle.parts.length))
  const starts = running(bundles.map(({ data }) => data.length))
  const { rows } = await client.query<{ slot: number }>({
    name: 'telemetry-bundles',
    text: insert,
    values: [
      wholes(bundles.map(({ slot }) => slot)),
      wholes(bundles.map(firstOf)),
      wholes(bundles.map((bundle) => Math.max(...bundle.parts.map(({ t1 }) => t1)))),
      wholes(bundles.map(({ version }) => version)),
      wholes(bundles.map((bundle) => bundle.parts.reduce((sum, { n }) => sum + n, 0))),
      wholes(bundles.map(({ raw }) => raw)),
      wholes(firsts.map((first) => first + 1)),
      wholes(firsts.map((first, at) => first + (bundles[at]?.parts.length ?? 0))),
      wholes(parts.map(({ series }) => series)),
      wholes(parts.map(({ t0 }) => t0)),
      wholes(parts.map(({ t1 }) => t1)),
      wholes(parts.map(({ n }) => n)),
      wholes(bundles.flatMap((bundle) => ends(bundle.parts.map(({ data }) => data.length)))),
      Buffer.concat(bundles.map(({ data }) => data)),
      wholes(starts),
      wholes(bundles.map(({ data }) => data.length)),
    ],
  })
  const there = new Set(rows.map(({ slot }) => slot))
  return bundles.filter(({ slot }) => there.has(slot))
}

/** End offsets of consecutive lengths. */
function ends(lengths: number[]) {
  let end = 0
  return lengths.map((length) => (end += length))
}
const running = (lengths: number[]) => ends(lengths).map((end, at) => end - (lengths[at] ?? 0))

/** Bundle with some of its parts, as arrays. */
export type BundleRow = {
  version: number
  series: number[]
  starts: number[]
  ends: number[]
  from: number[]
  upto: number[]
  data: Buffer
}
export const openBundles = (rows: BundleRow[]): StoredPart[] =>
  rows.flatMap((row) => partsIn(row).map((part) => ({ ...part, version: row.version })))

const columns = `b.version::float8 as version, p.series, p.starts, p.ends, p.from, p.upto, b.data`
const partsWhere = (condition: string) => `cross join lateral (
  select array_agg(u.series) as series, array_agg(u.t0::float8) as starts,
    array_agg(u.t1::float8) as ends, array_agg(coalesce(b.upto[u.at - 1], 0)) as from,
    array_agg(u.upto) as upto
  from unnest(b.series, b.starts, b.ends, b.upto) with ordinality as u (series, t0, t1, upto, at)
  where ${condition}) p`

/** Terms of a query for parts: SQL parameters, or the numbers themselves. */
export type AskedParts = { series: string; slots: string; since: string; to: string }

/** Query for the bundles of slots, with the parts of some series in the range (end excluded). */
export const bundlesBetween = ({ series, slots, since, to }: AskedParts) => `from telemetry.bundle b
  ${partsWhere(`u.series = any(${series}) and u.t0 < ${to} and u.t1 >= ${since}`)}
  where b.slot = any(${slots}) and b.t0 < ${to} and b.t1 >= ${since} and p.series is not null`

const parts = {
  name: 'telemetry-parts',
  text: `select ${columns} ${bundlesBetween({ series: '$1::int[]', slots: '$4::int[]', since: '$2', to: '$3' })}`,
}

/** Parts of some series in the range, from bundles. */
export async function partsBetween(
  pool: pg.Pool,
  { series, since, to }: { series: number[]; since: number; to: number },
): Promise<StoredPart[]> {
  const values = [series, since, to, [...new Set(series.map(slotOf))]]
  const { rows } = await pool.query<BundleRow>({ ...parts, values })
  return openBundles(rows)
}

/** Deletes all bundles of some slots and returns their parts by version. */
export async function takeBundles(client: pg.PoolClient, slots: number[]) {
  const { rows } = await client.query<BundleRow>(
    `with b as (delete from telemetry.bundle where slot = any($1::int[]) returning *)
     select ${columns} from b ${partsWhere('true')} order by b.version`,
    [slots],
  )
  return { parts: openBundles(rows), bytes: rows.reduce((sum, { data }) => sum + data.length, 0) }
}

/** Deletes one bundle and returns its parts. */
async function takeBundle(
  client: pg.PoolClient,
  { slot, t0, version }: { slot: number; t0: number; version: number },
) {
  const { rows } = await client.query<BundleRow>(
    `with b as (delete from telemetry.bundle where slot = $1 and t0 = $2 and version = $3 returning *)
     select ${columns} from b ${partsWhere('true')}`,
    [slot, t0, version],
  )
  return openBundles(rows)
}

/** Number of bundles of each slot. */
export async function bundleCounts(pool: pg.Pool) {
  const { rows } = await pool.query<{ slot: number; count: number }>(
    `select slot, count(*)::int as count from telemetry.bundle group by slot`,
  )
  return rows
}

/** Series of a list that still exist; the others were forgotten. */
export async function seriesThere(client: pg.PoolClient | pg.Pool, series: number[]) {
  const { rows } = await client.query<{ id: number }>({
    name: 'telemetry-there',
    text: `select id from telemetry.series where id = any($1::int[])`,
    values: [wholes(series)],
  })
  return new Set(rows.map(({ id }) => id))
}
