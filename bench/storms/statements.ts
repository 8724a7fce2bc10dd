import type pg from 'pg'
import { figure, say } from '../report.ts'

type Row = { query: string; calls: string; ms: number }
/** Statements since a phase began. */
type Done = { statements: number; ms: number; rows: readonly Row[] }

/** Counts of the statements of all servers (pg_stat_statements), by phase; those of the bench are left out. */
export async function openStatements(pool: pg.Pool) {
  await pool.query('create extension if not exists pg_stat_statements')
  return {
    reset: async () => {
      await pool.query('select pg_stat_statements_reset()')
    },
    async read(): Promise<Done> {
      const { rows } = await pool.query<Row>(
        `select query, sum(calls) as calls, sum(total_exec_time) as ms from pg_stat_statements
         where query not like '%pg_stat_statements%' and query not like '%bench storms%'
         group by query order by ms desc`,
      )
      return {
        statements: rows.reduce((sum, { calls }) => sum + Number(calls), 0),
        ms: rows.reduce((sum, { ms }) => sum + ms, 0),
        rows,
      }
    },
  }
}
export type Statements = Awaited<ReturnType<typeof openStatements>>

/** Statements that took the most time, with what one device took of each. */
export function tellStatements({ rows }: Done, devices: number) {
  for (const { query, calls, ms } of rows.slice(0, 30)) {
    const text = query.replaceAll(/\s+/g, ' ').slice(0, 170)
    say(`  ${figure(Number(calls) / devices)} × ${figure(ms / Number(calls))} ms: ${text}`)
  }
}
