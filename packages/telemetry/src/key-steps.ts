import type pg from 'pg'
import { codeOf } from './database.ts'
import { migrationOf, type KeyedTable, type KeyStep } from './keys.ts'
import { placeBits, slotBits } from './slot.ts'

/** Table that gets its key by slot beside a running server. */
export type KeyWork = {
  table: KeyedTable
  /** Columns of the key of before, by which rows are given their slots; undefined: they have them. */
  fill?: { by: readonly [string, string?]; version?: boolean; slot: string }
  key: string
  /** Constraint that the key replaces at once, or index that goes when no process uses it any more. */
  replaces: { constraint: string } | { index: string }
}
type Progress = { step: KeyStep; at: number[] | null; age: number }

export const keyWorks: readonly KeyWork[] = [
  {
    table: 'newest',
    fill: { by: ['place'], slot: `place >> ${slotBits - placeBits}` },
    key: '(slot, place)',
    replaces: { constraint: 'newest_pkey' },
  },
  {
    table: 'chunk',
    fill: { by: ['series', 't0'], version: true, slot: `series >> ${slotBits}` },
    key: '(slot, series, t0, version) include (t1)',
    replaces: { index: 'chunk_range' },
  },
  { table: 'bundle', key: '(slot, t0, version) include (t1)', replaces: { index: 'bundle_range' } },
  {
    table: 'graded_hour',
    fill: { by: ['series', 'hour'], slot: `series >> ${slotBits}` },
    key: '(slot, series, hour)',
    replaces: { constraint: 'graded_hour_pkey' },
  },
]

/** Longest wait for a lock in ms: statements that come meanwhile wait behind it. */
const mostWaitMs = 100

export async function progressOf(client: pg.ClientBase, table: KeyedTable): Promise<Progress> {
  const { rows } = await client.query<Progress>(
    `select step, at::float8[] as at, coalesce(extract(epoch from now() - since), 0)::float8 as age
     from telemetry.migration where name = $1`,
    [migrationOf(table)],
  )
  return rows[0] ?? { step: 'done', at: null, age: 0 }
}

export const setStep = (client: pg.ClientBase, table: KeyedTable, step: KeyStep) =>
  client.query(
    `update telemetry.migration set step = $2, at = null, since = now() where name = $1`,
    [migrationOf(table), step],
  )

async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>) {
  try {
    await client.query(`begin; set local lock_timeout = ${mostWaitMs}`)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Settings of a batch. Lost with its machine it is done again; and always by index, because PostgreSQL takes
 * a column without statistics for one that is hardly ever null, and would read the whole table.
 */
const batchSettings = ['synchronous_commit', 'enable_seqscan', 'enable_bitmapscan']
  .concat('enable_hashjoin', 'enable_mergejoin')
  .map((name) => `set local ${name} = off`)
  .join('; ')

/**
 * Gives slots to at most `limit` rows behind the last ones; returns their number, 0 at the end. Rows that
 * another process holds are left out and found by the next round.
 */
export async function fillSome(
  client: pg.ClientBase,
  { table, fill }: KeyWork,
  limit: number,
): Promise<number> {
  if (!fill) return 0
  const by = fill.by.filter((column) => column !== undefined)
  const key = fill.version ? [...by, 'version'] : by
  const after = by.map((_, at) => `$${at + 2}::bigint`).join(', ')
  return inTransaction(client, async () => {
    const { at } = await progressOf(client, table)
    await client.query(batchSettings)
    const { rows } = await client.query<{ last: number[] }>(
      `with batch as (
         select ${key.join(', ')} from telemetry.${table}
         where slot is null and (${by.join(', ')}) >= (${after})
         order by ${key.join(', ')} limit $1 for update skip locked),
       filled as (
         update telemetry.${table} t set slot = t.${fill.slot} from batch s
         where ${key.map((column) => `t.${column} = s.${column}`).join(' and ')}
         returning ${by.map((column) => `t.${column}`).join(', ')})
       select array[${by.map((column) => `${column}::float8`).join(', ')}] as last from filled
       order by ${by.map((column) => `${column} desc`).join(', ')}`,
      [limit, ...by.map((_, place) => at?.[place] ?? -(2 ** 31))],
    )
    const [first] = rows
    if (!first) return 0
    await client.query(`update telemetry.migration set at = $2::bigint[] where name = $1`, [
      migrationOf(table),
      first.last,
    ])
    return rows.length
  })
}

const notFilled = '23514'

/** Proves that every row has a slot, without a lock that writers or readers feel; false when one has none. */
export async function checkFilled(client: pg.ClientBase, { table }: KeyWork): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_constraint where conrelid = $1::regclass and conname = $2`,
    [`telemetry.${table}`, `${table}_slot`],
  )
  if (rowCount === 0)
    await inTransaction(client, () =>
      client.query(
        `alter table telemetry.${table} add constraint ${table}_slot check (slot is not null) not valid`,
      ),
    )
  try {
    await client.query(`alter table telemetry.${table} validate constraint ${table}_slot`)
    return true
  } catch (error) {
    if (codeOf(error) === notFilled) return false
    throw error
  }
}

const duplicate = '23505'

/** Builds the index of the key beside writers and readers; false when two rows have the same key. */
export async function buildIndex(client: pg.ClientBase, { table, key }: KeyWork): Promise<boolean> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
    [`telemetry.${table}_key`],
  )
  // One whose building was interrupted stays behind, not valid.
  if (rows[0]?.valid === false) await client.query(`drop index concurrently telemetry.${table}_key`)
  try {
    if (rows[0]?.valid !== true)
      await client.query(
        `create unique index concurrently ${table}_key on telemetry.${table} ${key}`,
      )
  } catch (error) {
    if (codeOf(error) === duplicate) return false
    throw error
  }
  await client.query(`vacuum (skip_locked, truncate false, analyze) telemetry.${table}`)
  return true
}

/** Makes the index the table's key: a moment, because all of it is proved already. */
export const takeKey = (client: pg.ClientBase, { table, fill, replaces }: KeyWork) =>
  inTransaction(client, async () => {
    const alter = (change: string) => client.query(`alter table telemetry.${table} ${change}`)
    if (fill) {
      await alter('alter slot set not null')
      await alter(`drop constraint ${table}_slot`)
    }
    if ('constraint' in replaces) await alter(`drop constraint ${replaces.constraint}`)
    await alter(`add constraint ${table}_pkey primary key using index ${table}_key`)
    await setStep(client, table, 'index' in replaces ? 'rest' : 'done')
  })

/** Drops the index of before. */
export const dropReplaced = async (client: pg.ClientBase, { replaces }: KeyWork) => {
  if ('index' in replaces)
    await client.query(`drop index concurrently if exists telemetry.${replaces.index}`)
}

/** Makes the space of rows as they were before usable for those to come. */
export const vacuum = (client: pg.ClientBase, table: KeyedTable) =>
  client.query(`vacuum (skip_locked, truncate false) telemetry.${table}`)

/** Rows of a table, as PostgreSQL reckons. */
export async function rowsOf(client: pg.ClientBase, table: KeyedTable) {
  const { rows } = await client.query<{ count: number }>(
    `select reltuples::float8 as count from pg_class where oid = $1::regclass`,
    [`telemetry.${table}`],
  )
  return rows[0]?.count ?? 0
}

/** Series with two chunks, or slots with two bundles, of the same beginning. */
export async function sameKeys(client: pg.ClientBase, table: 'chunk' | 'bundle') {
  const [of, by] = table === 'chunk' ? ['series', 'series, t0'] : ['slot', 'slot, t0, version']
  const { rows } = await client.query<{ id: number }>(
    `select distinct id from (
       select ${of} as id from telemetry.${table} group by ${by} having count(*) > 1) as same
     order by id`,
  )
  return rows.map(({ id }) => id)
}
