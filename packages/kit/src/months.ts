import pg from 'pg'
import { lockText } from './locks.ts'

/** Table of a service that is kept in partitions by month. */
export type MonthlyTable = {
  /** Name in the schema of the service. */
  table: string
  /** Column of the time (timestamptz) by which rows belong to a month. */
  time: string
  /** Columns of the primary key, the time among them. */
  key: readonly string[]
  /** Time that rows are kept; a month whose end is older is dropped. */
  keptMs: number
  /** SQL condition of the rows that go, with the time before which they do as `$1`; others are moved and stay. */
  goes: string
}

/** Table of months in its schema. */
export type Placed = MonthlyTable & { schema: string }

/** Partition of a table; the first one has no beginning, the one for later times no end. */
export type Partition = { name: string; since: Date | null; until: Date | null }

export const { escapeIdentifier: quoted, escapeLiteral: literal } = pg

/** Full name of a table of the schema, as SQL. */
export const named = ({ schema }: Pick<Placed, 'schema'>, table: string) =>
  `${quoted(schema)}.${quoted(table)}`

/** Name of the partition for everything before the months. */
export const firstPartition = ({ table }: MonthlyTable) => `${table}_first`
/** Name of the partition for everything after the months, as a wrong clock or a plan says it. */
export const laterPartition = ({ table }: MonthlyTable) => `${table}_later`
/** Name of the partition of the month that begins then, and the ends of its range. */
export const monthPartition = ({ table }: MonthlyTable, since: Date) =>
  `${table}_${since.toISOString().slice(0, 7).replace('-', '_')}`

/** Beginning of a month (UTC): `ahead` months after that of a time. */
export const monthStart = (at: Date, ahead = 0) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1))

/** Prefix of the constraints by which PostgreSQL knows, without looking, that a partition's rows are old enough. */
export const proofOf = ({ table }: MonthlyTable) => `${table}_before`

/** Partitions in the order of time; undefined while the table is a plain one. */
export async function partitionsOf(client: pg.ClientBase, placed: Placed) {
  const { schema, table } = placed
  const { rows } = await client.query<Partition & { kind: string }>(
    `select parent.relkind as kind, part.relname as name, bound.since, bound.until
     from pg_class parent
     left join pg_inherits i on i.inhparent = parent.oid
     left join pg_class part on part.oid = i.inhrelid
     left join lateral (select pg_get_expr(part.relpartbound, part.oid) as text) of on true
     left join lateral (select
       substring(of.text from 'FROM \\(''([^'']+)''\\)')::timestamptz as since,
       substring(of.text from 'TO \\(''([^'']+)''\\)')::timestamptz as until) bound on true
     where parent.relnamespace = $1::regnamespace and parent.relname = $2
     order by bound.since nulls first`,
    [quoted(schema), table],
  )
  if (rows[0]?.kind !== 'p') return undefined
  return rows.map(({ name, since, until }): Partition => ({ name, since, until }))
}

/** Tables that the table's foreign keys refer to. */
const referredBy = async (client: pg.ClientBase, placed: Placed) => {
  const { rows } = await client.query<{ name: string }>(
    `select distinct confrelid::regclass::text as name from pg_constraint
     where conrelid = $1::regclass and contype = 'f'`,
    [named(placed, placed.table)],
  )
  return rows.map(({ name }) => name)
}

/** Longest wait for a lock. Statements that come behind the waiting lock wait as long, so that it is short. */
const lockMs = 250
const tries = 20

/** Lock of transactions that add or drop partitions; schemas are brought up to date at other times. */
export const changeOfMonths = 'kit.change_of_months'

/**
 * A transaction that holds the table alone. Locks are taken in the order in which writers take them; when one
 * is not free within 250 ms it is given up, so that no writer waits longer for it, and tried again.
 */
export async function holdingTable(
  client: pg.ClientBase,
  placed: Placed,
  work: () => Promise<void>,
): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${lockMs}`)
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        lockText(changeOfMonths, []),
      ])
      for (const name of await referredBy(client, placed))
        await client.query(`lock table ${name} in share row exclusive mode`)
      await client.query(`lock table only ${named(placed, placed.table)} in access exclusive mode`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (left === 0 || !isBusy(error)) throw error
      await client.query('select pg_sleep(random() * 0.5)')
    }
  }
}

/** A lock was not free in time, or two waited for each other. */
export const isBusy = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')
