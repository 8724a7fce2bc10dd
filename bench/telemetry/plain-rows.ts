import pg from 'pg'
import { total } from './chunks.ts'
import type { Peer } from './peer.ts'
import { day, type Rows } from './signals.ts'

/** A row a value in a table partitioned by day, as one would build it without a store of one's own. */
export function plainRows(connection: pg.PoolConfig): Peer {
  let pool: pg.Pool
  return {
    name: 'PostgreSQL rows',
    async open({ longFrom, to }) {
      pool = new pg.Pool(connection)
      pool.on('error', () => undefined) // the server ends before its last connections
      await pool.query(`create table value (series int not null, t bigint not null, v float8 not null,
        primary key (series, t)) partition by range (t)`)
      const first = Math.floor(longFrom / day)
      for (let at = first; at <= Math.floor(to / day) + 1; at += 1)
        await pool.query(`create table value_${at} partition of value
          for values from (${at * day}) to (${(at + 1) * day})`)
    },
    prepare(rows) {
      const text = textOf(rows)
      return async () => {
        const client = await pool.connect()
        try {
          await copyIn(client, 'copy value (series, t, v) from stdin', text)
        } finally {
          client.release()
        }
      }
    },
    async settle() {
      await pool.query('analyze value')
    },
    async bytes() {
      await pool.query('vacuum')
      const { rows } = await pool.query<{ bytes: number }>(
        `select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('value')`,
      )
      return rows[0]?.bytes ?? 0
    },
    async last(series) {
      const sql = `select s, l.t::float8, l.v from unnest($1::int[]) as s cross join lateral
        (select t, v from value where series = s order by t desc limit 1) l`
      const { rows } = await pool.query<{ v: number }>(sql, [series])
      return { count: rows.length, sum: total(rows, ({ v }) => v) }
    },
    async raw(series, { since, to }) {
      const sql = `select t::float8, v from value where series = $1 and t >= $2 and t < $3 order by t`
      const { rows } = await pool.query<{ v: number }>(sql, [series, since, to])
      return { count: rows.length, sum: total(rows, ({ v }) => v) }
    },
    async buckets(series, { since, to }, width) {
      const sql = `select series, (t - $2::bigint) / $4::bigint as bucket, count(*), min(v), max(v), avg(v)
        from value where series = any($1::int[]) and t >= $2 and t < $3 group by 1, 2 order by 1, 2`
      const values = [series, since, to, width]
      const { rows } = await pool.query<{ max: number; avg: number }>(sql, values)
      return { count: rows.length, sum: total(rows, ({ max, avg }) => max + avg) }
    },
    async close() {
      await pool.end()
    },
  }
}

const textOf = ({ series, t, v }: Rows) =>
  series.map((id, row) => `${id}\t${t[row]}\t${v[row]}\n`).join('')

/** The copy protocol, which the driver leaves to others: one block of text in, then the end. */
function copyIn(client: pg.PoolClient, statement: string, text: string) {
  return new Promise<void>((resolve, reject) => {
    client.query({
      submit: (connection: pg.Connection) => connection.query(statement),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from(text))
        connection.endCopyFrom()
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
      handleError: (error: Error) => reject(error),
    } as unknown as pg.Submittable) // the driver's type knows only `submit`
  })
}
type CopyConnection = { sendCopyFromChunk: (data: Buffer) => void; endCopyFrom: () => void }
