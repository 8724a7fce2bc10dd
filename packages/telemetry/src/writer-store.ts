import type pg from 'pg'
import { faultOf, transaction, writerLocks } from './database.ts'

export const versionsInBlock = 1_000_000

type Head = { version: number; data: Buffer }
/** Name of a block: its writer and the version of its values. */
export type HeadKey = { writer: number; version: number }

/** Connection whose advisory lock shows that this writer lives; `lost` is called when it breaks. */
export type Claim = { id: number; release: () => void }

/**
 * Registers a new writer, or keeps `known` after a lost connection. Undefined: another process took
 * it over.
 */
export async function claimWriter(
  pool: pg.Pool,
  lost: () => void,
  known?: number,
): Promise<Claim | undefined> {
  const client = await pool.connect()
  let released = false
  const release = (error?: Error) => {
    if (released) return
    released = true
    client.release(error ?? true) // closed rather than reused, because the lock ends with its connection
  }
  client.on('error', (error) => {
    release(error)
    lost()
  })
  try {
    const id = await takeLock(client, known)
    if (id === undefined) release()
    return id === undefined ? undefined : { id, release: () => release() }
  } catch (error) {
    release()
    throw faultOf(error)
  }
}

async function takeLock(client: pg.PoolClient, known?: number) {
  if (known === undefined) {
    // In one statement: a writer without a lock could be taken for a dead one.
    const { rows } = await client.query<{ id: number }>(
      `with made as (insert into telemetry.writer default values returning id)
       select id, pg_advisory_lock($1, id) from made`,
      [writerLocks],
    )
    return rows[0]?.id
  }
  const { rows } = await client.query<{ id: number; mine: boolean }>(
    `select id, pg_try_advisory_lock($1, id) as mine from telemetry.writer where id = $2`,
    [writerLocks, known],
  )
  return rows[0]?.mine ? known : undefined
}

/** First number of a block of `versionsInBlock` that no other process has. */
export async function takeVersions(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ first: number }>(
    `select nextval('telemetry.version')::float8 as first`,
  )
  return rows[0]?.first ?? 0
}

/**
 * Commits one block; returns false when another process took this writer over and nothing was
 * written.
 */
export async function insertHead(pool: pg.Pool, writer: number, { version, data }: Head) {
  const { rowCount } = await pool.query({
    name: 'telemetry-head',
    text: `insert into telemetry.head (version, writer, data)
           select $1, id, $3 from telemetry.writer where id = $2`,
    values: [version, writer, data],
  })
  return rowCount === 1
}

/**
 * Takes over the blocks of dead writers; returns their versions in order. They are copied, because their
 * place in a distributed table depends on their writer.
 */
export const adoptHeads = (pool: pg.Pool, writer: number): Promise<number[]> =>
  transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `select id from telemetry.writer where id <> $2 and pg_try_advisory_xact_lock($1, id)`,
      [writerLocks, writer],
    )
    const dead = rows.map(({ id }) => id)
    // A block that was being written when its writer was taken over belongs to nobody.
    const orphans = await client.query<{ writer: number }>(
      `select distinct writer from telemetry.head h
       where not exists (select from telemetry.writer w where w.id = h.writer)`,
    )
    const from = [...dead, ...orphans.rows.map((row) => row.writer)]
    const copied = await client.query<{ version: number }>(
      `insert into telemetry.head (writer, version, data)
       select $2, version, data from telemetry.head where writer = any($1::int[])
       returning version::float8 as version`,
      [from, writer],
    )
    const versions = copied.rows.map(({ version }) => version).toSorted((a, b) => a - b)
    // Only what was copied: another block may have come since.
    await client.query(
      `delete from telemetry.head where writer = any($1::int[]) and version = any($2::bigint[])`,
      [from, versions],
    )
    await client.query(`delete from telemetry.writer where id = any($1::int[])`, [dead])
    return versions
  })

/** Blocks of a writer with these versions, in order; missing ones are in chunks or taken over. */
export async function readHeads(
  pool: pg.Pool,
  writer: number,
  versions: number[],
): Promise<Head[]> {
  const { rows } = await pool.query<Head>({
    text: `select version::float8 as version, data from telemetry.head
           where writer = $1 and version = any($2::bigint[]) order by version`,
    values: [writer, versions],
  })
  return rows
}

/** Blocks of some writers, in order of their versions; undefined when one of them has ended. */
export async function headsOf(pool: pg.Pool, writers: number[]): Promise<HeadKey[] | undefined> {
  const { rows } = await pool.query<{ writer: number; version: number | null }>(
    `select w.id as writer, h.version::float8 as version
     from telemetry.writer w left join telemetry.head h on h.writer = w.id
     where w.id = any($1::int[]) order by version`,
    [writers],
  )
  if (new Set(rows.map(({ writer }) => writer)).size < writers.length) return undefined
  return rows.flatMap(({ writer, version }) => (version === null ? [] : [{ writer, version }]))
}

/**
 * Ids of other writers, the number of writers that ever were, and whether dead writers left something to take
 * over.
 */
export async function lookForWriters(pool: pg.Pool, writer: number) {
  const { rows } = await pool.query<{ others: number[]; ever: number; left: boolean }>({
    name: 'telemetry-writers',
    // Writers of blocks are found one by one in the index, not by reading all blocks.
    text: `with recursive has_blocks as (
         (select writer from telemetry.head order by writer limit 1)
         union all
         select (select h.writer from telemetry.head h where h.writer > b.writer order by h.writer limit 1)
         from has_blocks b where b.writer is not null)
       select array(select id from telemetry.writer where id <> $1 order by id) as others,
         (select last_value::float8 from telemetry.writer_id_seq) as ever,
         exists (select from telemetry.writer where id <> $1 and pg_try_advisory_xact_lock($2, id))
         or exists (select from has_blocks b where b.writer is not null
           and not exists (select from telemetry.writer w where w.id = b.writer)) as left`,
    values: [writer, writerLocks],
  })
  return rows[0] ?? { others: [], ever: 0, left: false }
}
