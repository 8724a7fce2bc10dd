import { openTelemetry, type TelemetryStore } from '@longreach/telemetry/store'
import pg from 'pg'
import type { Peer } from './peer.ts'

/** The store of the product. */
export function chunkStore(connection: pg.PoolConfig): Peer & { reopen: () => Promise<void> } {
  let pool: pg.Pool
  let store: TelemetryStore
  let ids: number[] = []
  const id = (n: number) => ids[n] ?? 0
  const start = async () => {
    pool = new pg.Pool(connection)
    pool.on('error', () => undefined) // the server ends before its last connections
    store = await openTelemetry({ pool })
  }
  const stop = async () => {
    await store.close()
    await pool.end()
  }
  return {
    name: 'Longreach',
    async open({ series }) {
      await start()
      const names = Array.from({ length: series }, (_, n) => `Line:1/${n}`)
      ids = await Promise.all(names.map((path) => store.seriesOf('acme', 'bench', path, 'double')))
    },
    prepare: ({ series, t, v }) => {
      const batch = { series: series.map(id), t, v }
      return () => store.append(batch)
    },
    async settle() {
      await store.sealNow()
    },
    async bytes() {
      await pool.query('vacuum')
      return (await store.storage()).bytes
    },
    async last(series) {
      const found = await store.last(series.map(id))
      return { count: found.length, sum: total(found, (point) => Number(point?.v)) }
    },
    async raw(series, span) {
      const answer = { count: 0, sum: 0 }
      for await (const page of store.read(id(series), span)) {
        answer.count += page.length
        answer.sum += total(page, ({ v }) => Number(v))
      }
      return answer
    },
    async buckets(series, span, width) {
      const all = await store.buckets(series.map(id), { ...span, width })
      const found = all.flat()
      return { count: found.length, sum: total(found, ({ max, avg }) => (max ?? 0) + (avg ?? 0)) }
    },
    close: stop,
    /** A fresh process knows no newest values by heart. */
    async reopen() {
      await stop()
      await start()
    },
  }
}

export const total = <T>(items: T[], of: (item: T) => number) =>
  items.reduce((sum, item) => sum + of(item), 0)
