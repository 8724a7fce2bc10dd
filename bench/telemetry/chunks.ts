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
    write: ({ series, t, v }) => store.append({ series: series.map(id), t, v }),
    async settle() {
      await store.sealNow()
    },
    async bytes() {
      await pool.query('vacuum')
      return (await store.storage()).bytes
    },
    async last(series) {
      return (await store.last(series.map(id))).length
    },
    async raw(series, span) {
      let count = 0
      for await (const page of store.read(id(series), span)) count += page.length
      return count
    },
    async buckets(series, span, width) {
      const all = await store.buckets(series.map(id), { ...span, width })
      return all.reduce((sum, { length }) => sum + length, 0)
    },
    close: stop,
    /** A fresh process knows no newest values by heart. */
    async reopen() {
      await stop()
      await start()
    },
  }
}
