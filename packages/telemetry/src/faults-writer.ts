import { writeSync } from 'node:fs'
import pg from 'pg'
import { openTelemetry } from './store.ts'

// Process that faults.test.ts kills: it appends as fast as it can and prints what was acknowledged.
const [connection = '{}', first = '0'] = process.argv.slice(2)
const pool = new pg.Pool(JSON.parse(connection) as pg.PoolConfig)
const store = await openTelemetry({ pool, limits: { sealAt: 12_000, memory: 200_000 } })
const series = await Promise.all(
  Array.from({ length: 40 }, (_, n) => store.seriesOf('acme', 'crash', `Line:1/${n}`, 'integer')),
)
const appenders = 16
await Promise.all(
  Array.from({ length: appenders }, async (_, appender) => {
    for (let t = Number(first) + appender; ; t += appenders) {
      await store.append({ series, t: series.map(() => t), v: series.map((_, n) => t * 100 + n) })
      writeSync(1, `${t}\n`)
    }
  }),
)
