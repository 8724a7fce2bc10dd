import type { FastifyBaseLogger } from 'fastify'
import type { Pool, PoolClient } from 'pg'
import { lockText } from './locks.ts'
import { beginMonths, type Small } from './months-begin.ts'
import { addMonths, dropOldMonths } from './months-keep.ts'
import { isBusy, type MonthlyTable, named, type Placed } from './months.ts'
import { startRounds } from './rounds.ts'
import type { AnyService } from './service.ts'

const everyMs = 600_000

/** Tables of months of a service's parts. */
export const monthlyTablesOf = ({ contract, parts }: AnyService): Placed[] =>
  parts
    .flatMap(({ months }) => months ?? [])
    .map((table: MonthlyTable) => ({ ...table, schema: contract.service }))

/**
 * Work on a table over one connection, unless another process is at it: then nothing is done, as a process
 * that waits for this lock would stop the other one from making an index.
 */
async function alone(
  pool: Pool,
  { schema, table }: Placed,
  work: (client: PoolClient) => Promise<void>,
) {
  const client = await pool.connect()
  const lock = [lockText('kit.months', [schema, table])]
  let isDone = false
  try {
    const { rows } = await client.query<{ got: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as got',
      lock,
    )
    const isOurs = rows[0]?.got === true
    if (isOurs) {
      await work(client)
      await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', lock)
    }
    isDone = true
    return isOurs
  } finally {
    // After a fault the lock ends with the connection.
    client.release(!isDone)
  }
}

/** Makes small plain tables ones of months when the schema was brought up to date; large ones follow later. */
export async function beginSmallMonths(pool: Pool, tables: readonly Placed[], now: Date) {
  for (const placed of tables) {
    await alone(pool, placed, async (client) => {
      try {
        const done = await beginMonths(client, placed, { now, onlySmall: true })
        if (done) await addMonths(client, placed, now)
      } catch (error) {
        if (!isBusy(error)) throw error // the upkeep goes on with it
      }
    })
  }
}

type Running = { began: (client: PoolClient) => Promise<void> }

/**
 * Brings a table up to date: partitions by month, those of this and the next month, and none that is too
 * old. Answers false when another process was at it.
 */
export const keepMonths = (
  pool: Pool,
  placed: Placed,
  { now, running, ...small }: { now: Date; running?: Running } & Small,
) =>
  alone(pool, placed, async (client) => {
    await running?.began(client)
    await beginMonths(client, placed, { now, ...small })
    const added = await addMonths(client, placed, now)
    // PostgreSQL counts the rows of the whole table, beside those of its partitions, only when it is told to.
    if (added.length > 0) await client.query(`analyze ${named(placed, placed.table)}`)
    await dropOldMonths(client, placed, now)
  })

type Upkeep = { pool: Pool; now: () => Date; log: FastifyBaseLogger; leads: () => Promise<boolean> }

/** Starts the upkeep of tables of months, every ten minutes in the process that leads it. */
export function startMonths(tables: readonly Placed[], { pool, now, log, leads }: Upkeep) {
  let pid: number | undefined
  let isClosing = false
  const running = {
    async began(client: PoolClient) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      pid = rows[0]?.pid
    },
  }
  const round = async () => {
    if (tables.length === 0 || !(await leads())) return
    for (const placed of tables) {
      if (isClosing) return
      try {
        await keepMonths(pool, placed, { now: now(), running })
      } catch (error) {
        if (isClosing) return // it was told to stop
        const { schema, table } = placed
        const about = { err: error, table: `${schema}.${table}` }
        log.error(about, 'months of a table could not be kept')
      } finally {
        pid = undefined
      }
    }
  }
  const rounds = startRounds(everyMs, round, (error) =>
    log.error({ err: error }, 'the upkeep of months failed'),
  )
  return {
    /** Ends a statement that runs long; the next start goes on from there. */
    async close() {
      isClosing = true
      const timer = setInterval(() => {
        if (pid !== undefined)
          pool.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined) // asked again
      }, 200)
      await rounds.close()
      clearInterval(timer)
    },
  }
}
