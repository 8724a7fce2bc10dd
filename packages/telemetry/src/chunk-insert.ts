import type pg from 'pg'
import { chunkOf } from './bundle.ts'
import { decodeChunk } from './chunk-codec.ts'
import { takeChunks, type ChunkKey, type NewChunk } from './chunk-store.ts'
import { merged, runs } from './columns.ts'
import { cut } from './cut.ts'
import type { Keys } from './keys.ts'

const insert = `with given as materialized (
    select u.*, u.series >> 8 as slot
    from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::int[], $6::int[],
      $7::float8[], $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::int[],
      $14::int[], $15::int[], $16::int[]) with ordinality
      as u (series, t0, t1, version, n, numbers, min, max, sum, first, last, step,
        at, size, steps_size, place)
    where exists (select from telemetry.series s where s.id = u.series)),
  made as (
    insert into telemetry.chunk
      (slot, series, t0, t1, version, n, numbers, min, max, sum, first, last, step, data, steps)
    select slot, series, t0, t1, version, n, numbers, min, max, sum, first, last, step,
      substring($13::bytea from at + 1 for size),
      substring($13::bytea from at + size + 1 for steps_size)
    from given
    on conflict do nothing
    returning series, t0, version)
  select g.place::int - 1 as place from given g
  where not exists (
    select from made m where m.series = g.series and m.t0 = g.t0 and m.version = g.version)`

/**
 * Writes chunks in one statement, with all bytes as one value. Chunks of forgotten series are left out. A
 * chunk whose key is there already is merged with that one: a slice that is written again after a lost
 * answer, or the blocks of a dead process that it had already moved.
 */
export async function insertChunks(client: pg.PoolClient, keys: Keys, chunks: NewChunk[]) {
  if (chunks.length === 0) return
  const given = distinctChunks(chunks)
  let end = 0
  const starts = given.map(({ data, steps }) => {
    const start = end
    end += data.length + steps.length
    return start
  })
  const { rows } = await client.query<{ place: number }>({
    name: 'telemetry-chunks',
    text: insert,
    values: [
      ...figures.map((name) => given.map((chunk) => chunk[name])),
      Buffer.concat(given.flatMap(({ data, steps }) => [data, steps])),
      starts,
      given.map(({ data }) => data.length),
      given.map(({ steps }) => steps.length),
    ],
  })
  if (rows.length === 0) return
  const again = rows.flatMap(({ place }) => given[place] ?? [])
  const there = await takeChunks(client, keys, again)
  await insertChunks(client, keys, joined([...there, ...again]))
}
const figures = [
  'series',
  't0',
  't1',
  'version',
  'n',
  'numbers',
  'min',
  'max',
  'sum',
  'first',
  'last',
  'step',
] as const

/** Key of a chunk as text. */
export const keyOf = ({ series, t0, version }: ChunkKey) => `${series} ${t0} ${version}`

/** Chunks of which no two have the same key. */
function distinctChunks(chunks: NewChunk[]): NewChunk[] {
  const there = new Set(chunks.map(keyOf))
  if (there.size === chunks.length) return chunks
  const groups = [...Map.groupBy(chunks, keyOf).values()]
  return distinctChunks(groups.flatMap((group) => (group.length === 1 ? group : joined(group))))
}

/** Chunks of the values of some chunks, merged where they have the same key. */
const joined = (chunks: readonly (ChunkKey & { data: Buffer })[]): NewChunk[] =>
  [...Map.groupBy(chunks, keyOf).values()].flatMap((group) => {
    const { series = 0, version = 0 } = group[0] ?? {}
    const columns = merged(group.map(({ data }) => decodeChunk(data)))
    return runs(columns)
      .flatMap(cut)
      .map((part) => chunkOf(series, version, part))
  })
