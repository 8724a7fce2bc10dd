import type pg from 'pg'
import { bundlesOf, chunkOf, place, type Bundle, type Part } from './bundle.ts'
import {
  insertBundles,
  lockBundles,
  seriesThere,
  takeBundles,
  type StoredPart,
} from './bundle-store.ts'
import { decodeChunk } from './chunk-codec.ts'
import { insertChunks } from './chunk-insert.ts'
import { chunkEnds, type NewChunk } from './chunk-store.ts'
import { between, merged, runs } from './columns.ts'
import { cut } from './cut.ts'
import type { Keys } from './keys.ts'
import { slotOf } from './slot.ts'

export type Rewritten = {
  chunks: NewChunk[]
  bundles: Bundle[]
  /** Values and bytes before the cuts. */
  gone: { values: number; bytes: number }
}

/**
 * Rewrites the bundles of some slots as one each; parts that have become long enough become chunks.
 * Forgotten series and values before a cut are left out. Runs in the caller's transaction.
 */
export async function rewriteBundles(
  client: pg.PoolClient,
  keys: Keys,
  slots: number[],
  cuts: ReadonlyMap<number, number> = new Map(),
): Promise<Rewritten> {
  await lockBundles(client)
  const taken = await takeBundles(client, slots)
  const bySeries = Map.groupBy(taken.parts, ({ series }) => series)
  const ids = [...bySeries.keys()]
  const there = await seriesThere(client, ids)
  const ends = new Map((await chunkEnds(client, keys, ids)).map(({ series, end }) => [series, end]))
  const versions = new Map<number, number>()
  const chunks: NewChunk[] = []
  const parts: Part[] = []
  let values = 0
  for (const [series, own] of bySeries) {
    if (!there.has(series)) continue
    const version = own.at(-1)?.version ?? 0
    const slot = slotOf(series)
    versions.set(slot, Math.max(versions.get(slot) ?? 0, version))
    const end = ends.get(series) ?? -Infinity
    if (own.some(({ t0 }) => t0 <= end)) {
      chunks.push(...asTheyAre(own))
      continue
    }
    const all = merged(own.map(({ data }) => decodeChunk(data)))
    const kept = between(all, cuts.get(series) ?? -Infinity, Infinity)
    values += all.t.length - kept.t.length
    const placed = place({ series, version, end }, kept)
    chunks.push(...placed.chunks)
    parts.push(...placed.parts)
    await new Promise<void>((done) => setImmediate(done)) // requests and flushes run in between
  }
  const bundles = bundlesOf(parts, (slot) => versions.get(slot) ?? 0)
  await insertChunks(client, keys, chunks)
  await insertBundles(client, bundles)
  const written = [...chunks, ...bundles].reduce((sum, { data }) => sum + data.length, 0)
  const bytes = values === 0 ? 0 : Math.max(0, taken.bytes - written)
  return { chunks, bundles, gone: { values, bytes } }
}

/**
 * Parts that overlap chunks keep their versions, because merging chunks decides by version which
 * value is newest.
 */
const asTheyAre = (parts: StoredPart[]) =>
  parts.flatMap(({ series, version, data }) =>
    runs(decodeChunk(data))
      .flatMap(cut)
      .map((piece) => chunkOf(series, version, piece)),
  )
