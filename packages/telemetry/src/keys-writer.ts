import { readFileSync, writeSync } from 'node:fs'
import { inspect } from 'node:util'
import pg from 'pg'
import { answersOf, changedAnswer } from './keys-answers.ts'
import { openTelemetry } from './store.ts'

// Process that keys.test.ts kills while it gives tables their keys: it writes, moves values into chunks and
// compares answers with those before, and prints what was acknowledged and what was compared.
const [connection = '{}', file = '', first = '0'] = process.argv.slice(2)
const expected: unknown = JSON.parse(readFileSync(file, 'utf8'))
const pool = new pg.Pool(JSON.parse(connection) as pg.PoolConfig)
const log = { warn: (details: object) => writeSync(2, `${inspect(details)}\n`) }
const store = await openTelemetry({ pool, log })
const series = await Promise.all(
  Array.from({ length: 40 }, (_, n) => store.seriesOf('later', 'writes', `Line:1/${n}`, 'integer')),
)
const q = series.map((_, n) => (n % 8 === 0 ? 1 : 0))
const writing = async () => {
  for (let t = Number(first); ; t += 1) {
    await store.append({ series, t: series.map(() => t), v: series.map((id) => t * 1000 + id), q })
    writeSync(1, `wrote ${t}\n`)
    if (t % 300 === 0) await store.sealNow()
  }
}
const reading = async () => {
  for (;;) {
    const changed = changedAnswer(expected, await answersOf(store))
    writeSync(1, changed ? `changed ${changed}\n` : 'compared\n')
  }
}
await Promise.all([writing(), reading()])
