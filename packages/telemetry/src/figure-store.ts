import type pg from 'pg'
import { slotOf } from './bundle.ts'
import { bundlesBetween, openBundles, type BundleRow, type StoredPart } from './bundle-store.ts'
import type { ChunkFigures } from './chunk-store.ts'

export type FigureQuery = { series: number[]; since: number; to: number; width: number }

/**
 * Chunks in the range by series and start. Each with its bytes only where neither its figures nor its
 * steps answer: the figures do when it lies in one bucket, the steps when buckets and range are whole steps.
 */
const figuresOfChunks = (series: string, [since, to, width]: [string, string, string]) => `
  select c.series, c.t0::float8 as t0, c.t1::float8 as t1, c.version::float8 as version,
    c.n, c.numbers, c.min, c.max, c.sum, c.first, c.last,
    case when a.by = 2 then c.data end as data, case when a.by = 1 then c.steps end as steps
  from unnest(${series}) as u (series)
  join telemetry.chunk c on c.series = u.series and c.t0 < ${to} and c.t1 >= ${since}
  cross join lateral (select case
    when c.t0 >= ${since} and c.t1 < ${to}
      and (c.t0 - ${since}) / ${width} = (c.t1 - ${since}) / ${width} then 0
    when c.step > 0 and ${width} % c.step = 0 and ${since} % c.step = 0
      and (c.t1 < ${to} or ${to} % c.step = 0) then 1
    else 2 end as by) a
  order by c.series, c.t0, c.version`

const figures = figuresOfChunks('$1::int[]', ['$2::bigint', '$3::bigint', '$5::bigint'])
// Bundles come in the same rows; what each kind has not is null.
const partsAndChunks = `
  select c.*, null::int[] as members, null::float8[] as starts, null::float8[] as ends,
    null::int[] as from, null::int[] as upto
  from (${figures} limit $6) c
  union all
  select null, null, null, b.version::float8, null, null, null, null, null, null, null,
    b.data, null, p.series, p.starts, p.ends, p.from, p.upto
  ${bundlesBetween}`

type EitherRow =
  | (ChunkFigures & { members: null })
  | (Omit<BundleRow, 'series'> & { members: number[] })

/**
 * What bundles hold of some series, and at most `limit` of their chunks, the first ones. One
 * statement sees one moment: a value on its way from a bundle into a chunk is in one of them.
 */
export async function partsAndFigures(pool: pg.Pool, query: FigureQuery, limit: number) {
  const { series, since, to, width } = query
  const { rows } = await pool.query<EitherRow>({
    name: 'telemetry-figures',
    text: partsAndChunks,
    values: [series, since, to, [...new Set(series.map(slotOf))], width, limit],
  })
  const chunks: ChunkFigures[] = []
  const parts: StoredPart[] = []
  for (const row of rows)
    if (row.members) parts.push(...openBundles([{ ...row, series: row.members }]))
    else chunks.push(row)
  return { parts, chunks: chunks.toSorted(inOrder) }
}

const inOrder = (a: ChunkFigures, b: ChunkFigures) =>
  a.series - b.series || a.t0 - b.t0 || a.version - b.version

/** All of the chunks, `size` at a time, as of one moment: chunks that are merged meanwhile are not missed. */
export async function* chunkFigurePages(client: pg.PoolClient, query: FigureQuery, size: number) {
  const { series, since, to, width } = query
  const numbers = [since, to, width].map((ms) => `${BigInt(ms)}::bigint`)
  const ids = `'{${series.map(Number).join(',')}}'::int[]`
  const [from = '', end = '', step = ''] = numbers
  await client.query(
    `declare figures no scroll cursor for ${figuresOfChunks(ids, [from, end, step])}`,
  )
  // The next page travels while this one is worked on.
  const fetch = () => {
    const page = client.query<ChunkFigures>(`fetch ${size} from figures`)
    page.catch(() => undefined) // whoever waits for it hears of it; nobody does after an error elsewhere
    return page
  }
  let next = fetch()
  for (;;) {
    const { rows } = await next
    if (rows.length === size) next = fetch()
    yield rows
    if (rows.length < size) return
  }
}
