import type pg from 'pg'
import { faultOf } from './database.ts'
import { lastValues } from './last-store.ts'
import type { Keys } from './keys.ts'
import type { Live } from './live.ts'
import type { OtherWriters } from './other-writers.ts'
import type { Point } from './point.ts'
import { fromJson } from './value-codec.ts'

type Sources = { pool: pg.Pool; live: Live; keys: Keys; others: OtherWriters; writer: number }

/**
 * Newest value of each series: from memory while this process alone writes, otherwise the newer one of
 * memory and database.
 */
export async function newest(sources: Sources, ids: number[]): Promise<(Point | undefined)[]> {
  const { live, others } = sources
  const missing = others.trust === undefined ? ids : ids.filter((id) => !live.isComplete(id))
  const found = missing.length > 0 ? await fromDatabase(sources, missing) : new Map<number, Point>()
  if (others.trust !== undefined) for (const id of missing) live.settle(id, found.get(id))
  return ids.map((id) => {
    const own = live.newest(id)
    const stored = found.get(id)
    return own && !(stored && stored.t > own.t) ? own : stored
  })
}

async function fromDatabase({ pool, keys, others, writer }: Sources, missing: number[]) {
  try {
    const question = { series: missing, since: 0, to: 0, newest: true }
    const tails = await others.tails(writer, question)
    const stored = await lastValues(pool, keys, missing)
    const found = new Map<number, Point>()
    for (const { series, t, q, v } of stored) found.set(series, { t, q, v: fromJson(v) })
    for (const id of missing) {
      const { t, v, q } = tails.last(id)
      const time = t[0]
      if (time !== undefined && time >= (found.get(id)?.t ?? -Infinity))
        found.set(id, { t: time, v: v[0] ?? null, q: q?.[0] ?? 0 })
    }
    return found
  } catch (error) {
    throw faultOf(error)
  }
}
