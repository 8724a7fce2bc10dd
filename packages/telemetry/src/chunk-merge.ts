import type pg from 'pg'
import { chunkOf } from './bundle.ts'
import { decodeChunk } from './chunk-codec.ts'
import { insertChunks, keyOf } from './chunk-insert.ts'
import { chunkExtents, takeChunks, type ChunkExtent, type NewChunk } from './chunk-store.ts'
import { merged, runs } from './columns.ts'
import { cut } from './cut.ts'
import type { Keys } from './keys.ts'
import { mergePlan } from './merge-plan.ts'

const mostRows = 400_000

/**
 * Merges overlapping and small chunks of some series, in the caller's transaction of one snapshot; returns
 * the series that did not fit into it.
 */
export async function mergeChunks(client: pg.PoolClient, keys: Keys, series: number[]) {
  const extents = Map.groupBy(await chunkExtents(client, keys, series), (one) => one.series)
  const left = new Set<number>()
  const groups: ChunkExtent[][] = []
  let rows = 0
  for (const [id, own] of extents)
    for (const group of mergePlan(own)) {
      if (rows > mostRows) left.add(id)
      else groups.push(group)
      rows += group.reduce((sum, { n }) => sum + n, 0)
    }
  if (groups.length === 0) return left
  const taken = Map.groupBy(await takeChunks(client, keys, groups.flat()), keyOf)
  const written: NewChunk[] = []
  for (const group of groups) {
    const parts = [...new Set(group.map(keyOf))].flatMap((key) => taken.get(key) ?? [])
    parts.sort((a, b) => a.version - b.version || a.t0 - b.t0)
    const version = Math.max(...parts.map((part) => part.version))
    const columns = merged(parts.map(({ data }) => decodeChunk(data)))
    const id = group[0]?.series ?? 0
    for (const part of runs(columns).flatMap(cut)) written.push(chunkOf(id, version, part))
    await new Promise<void>((done) => setImmediate(done)) // requests and flushes run in between
  }
  await insertChunks(client, keys, written)
  return left
}
