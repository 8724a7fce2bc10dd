import type pg from 'pg'
import {
  firstPartition,
  holdingTable,
  laterPartition,
  literal,
  monthStart,
  named,
  partitionsOf,
  type Placed,
  proofOf,
  quoted,
} from './months.ts'

/** Size of a plain table that becomes one of months at once, while it is locked. */
const smallBytes = 4_000_000
/** Time before its boundary in which an interrupted beginning is begun anew with a later one. */
const leastAheadMs = 7 * 86_400_000

export type Small = { smallBytes?: number }

/**
 * Makes a plain table one of months. A small one changes at once; a large one is prepared while its rows are
 * read and written, and then changes in some ms: all its rows stay where they are, as the first partition.
 * After an interruption it goes on where it was. Answers whether the table has months now.
 */
export async function beginMonths(
  client: pg.ClientBase,
  placed: Placed,
  {
    now,
    onlySmall = false,
    smallBytes: most = smallBytes,
  }: { now: Date; onlySmall?: boolean } & Small,
) {
  if (await partitionsOf(client, placed)) return true
  const isSmall = (await sizeOf(client, placed)) <= most
  if (!isSmall && onlySmall) return false
  const boundary = isSmall
    ? ((await preparedBoundary(client, placed)) ?? monthStart(now))
    : await prepare(client, placed, now)
  await holdingTable(client, placed, () => exchange(client, placed, { boundary, isSmall }))
  return true
}

async function sizeOf(client: pg.ClientBase, placed: Placed) {
  const { rows } = await client.query<{ size: number }>(
    'select pg_relation_size($1::regclass) as size',
    [named(placed, placed.table)],
  )
  return rows[0]?.size ?? 0
}

/** Everything that takes time: an index for the new key, and the proof that no row is after the boundary. */
async function prepare(client: pg.ClientBase, placed: Placed, now: Date) {
  const known = await preparedBoundary(client, placed)
  const isLate = known && known.getTime() - now.getTime() < leastAheadMs
  if (isLate) await holdingTable(client, placed, () => undo(client, placed))
  const boundary = isLate || !known ? monthStart(now, 2) : known
  await prepareKey(client, placed)
  await prepareAge(client, placed)
  if (isLate || !known) await holdingTable(client, placed, () => divert(client, placed, boundary))
  await moveLater(client, placed, boundary)
  await validate(client, placed)
  return boundary
}

/** Time before which all rows of the plain table are to be, if an earlier run has set one. */
async function preparedBoundary(client: pg.ClientBase, placed: Placed) {
  const { rows } = await client.query<{ boundary: Date }>(
    `select substring(pg_get_constraintdef(oid) from '''([^'']+)''')::timestamptz as boundary
     from pg_constraint where conrelid = $1::regclass and conname = $2`,
    [named(placed, placed.table), proofOf(placed)],
  )
  return rows[0]?.boundary
}

const keyIndex = ({ table }: Placed) => `${table}_key_and_time`

/** Unique index of the new key, made while others write. One that was interrupted is made anew. */
async function prepareKey(client: pg.ClientBase, placed: Placed) {
  if (await hasKey(client, placed)) return
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [named(placed, keyIndex(placed))],
  )
  if (rows[0]?.valid === true) return
  await client.query(`drop index concurrently if exists ${named(placed, keyIndex(placed))}`)
  await client.query(`create unique index concurrently ${quoted(keyIndex(placed))}
    on ${named(placed, placed.table)} (${placed.key.map(quoted).join(', ')})`)
}

const ageIndex = (placed: Placed) => `${firstPartition(placed)}_by_month`

/** Small index by which old rows of a large first partition are found. */
async function prepareAge(client: pg.ClientBase, placed: Placed) {
  const name = ageIndex(placed)
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [named(placed, name)],
  )
  if (rows[0]?.valid === true) return
  await client.query(`drop index concurrently if exists ${named(placed, name)}`)
  await client.query(`create index concurrently ${quoted(name)}
    on ${named(placed, placed.table)} using brin (${quoted(placed.time)})`)
}

/** The primary key of the table has the columns of the new one already. */
async function hasKey(client: pg.ClientBase, placed: Placed) {
  const { rows } = await client.query<{ columns: string[] }>(
    `select array(select a.attname::text from unnest(c.conkey) with ordinality k (number, place)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number order by place) as columns
     from pg_constraint c where c.conrelid = $1::regclass and c.contype = 'p'`,
    [named(placed, placed.table)],
  )
  return rows[0]?.columns.join() === placed.key.join()
}

/** From now on new rows after the boundary go where the partition for later times will be. */
async function divert(client: pg.ClientBase, placed: Placed, boundary: Date) {
  const { schema, table, time } = placed
  const [plain, later] = [named(placed, table), named(placed, laterPartition(placed))]
  await createLater(client, placed)
  const name = `${table}_divert`
  await client.query(`create or replace function ${named(placed, name)}() returns trigger language plpgsql
    as $$ begin insert into ${later} values (new.*); return null; end $$`)
  await client.query(`create trigger ${quoted(name)} before insert on ${plain} for each row
    when (new.${quoted(time)} >= ${literal(boundary.toISOString())}::timestamptz)
    execute function ${quoted(schema)}.${quoted(name)}()`)
  await addProof(client, placed, boundary)
}

const addProof = (client: pg.ClientBase, placed: Placed, boundary: Date) =>
  client.query(`alter table ${named(placed, placed.table)} add constraint ${quoted(proofOf(placed))}
    check (${quoted(placed.time)} < ${literal(boundary.toISOString())}::timestamptz) not valid`)

/** Without indexes and keys: it gets those of the new table. */
const createLater = (client: pg.ClientBase, placed: Placed) =>
  client.query(`create table ${named(placed, laterPartition(placed))}
    (like ${named(placed, placed.table)} including defaults including constraints including storage)`)

const moveLater = (client: pg.ClientBase, placed: Placed, boundary: Date) =>
  client.query(`with gone as (delete from ${named(placed, placed.table)}
      where ${quoted(placed.time)} >= ${literal(boundary.toISOString())}::timestamptz returning *)
    insert into ${named(placed, laterPartition(placed))} select * from gone`)

async function endDiversion(client: pg.ClientBase, placed: Placed) {
  const name = `${placed.table}_divert`
  await client.query(`drop trigger if exists ${quoted(name)} on ${named(placed, placed.table)}`)
  await client.query(`drop function if exists ${named(placed, name)}()`)
}

/** A boundary that came too near: rows come back, and the next one is set. */
async function undo(client: pg.ClientBase, placed: Placed) {
  const plain = named(placed, placed.table)
  await endDiversion(client, placed)
  await client.query(`alter table ${plain} drop constraint ${quoted(proofOf(placed))}`)
  await client.query(`insert into ${plain} overriding system value
    select * from ${named(placed, laterPartition(placed))}`)
  await client.query(`drop table ${named(placed, laterPartition(placed))}`)
}

/** The same as for a large table, in the transaction of the exchange. */
async function prepareSmall(client: pg.ClientBase, placed: Placed, boundary: Date) {
  if (!(await preparedBoundary(client, placed))) {
    await createLater(client, placed)
    await addProof(client, placed, boundary)
  }
  await moveLater(client, placed, boundary)
  await validate(client, placed)
}

const validate = (client: pg.ClientBase, placed: Placed) =>
  client.query(
    `alter table ${named(placed, placed.table)} validate constraint ${quoted(proofOf(placed))}`,
  )

type Definition = { name: string; text: string }

/**
 * Puts a table of months in the place of the plain one, which becomes its first partition. The caller holds
 * the table alone.
 */
async function exchange(
  client: pg.ClientBase,
  placed: Placed,
  { boundary, isSmall }: { boundary: Date; isSmall: boolean },
) {
  const { table, time, key } = placed
  if (await partitionsOf(client, placed)) return
  const [whole, first, later] = [table, firstPartition(placed), laterPartition(placed)]
  const old = named(placed, first)
  await client.query('set local search_path to pg_catalog')
  if (isSmall) await prepareSmall(client, placed, boundary)
  await endDiversion(client, placed)
  await changeKey(client, placed)
  const counted = await takeIdentity(client, placed)
  const indexes = await indexesOf(client, placed)
  const references = await referencesOf(client, placed)
  await client.query(`alter table ${named(placed, whole)} rename to ${quoted(first)}`)
  for (const { name } of [...indexes, { name: `${table}_pkey` }])
    await client.query(
      `alter index ${named(placed, name)} rename to ${quoted(name.replace(table, first))}`,
    )
  await client.query(`create table ${named(placed, whole)}
    (like ${named(placed, later)} including defaults including constraints including storage,
     primary key (${key.map(quoted).join(', ')})) partition by range (${quoted(time)})`)
  for (const { name, text } of references)
    await client.query(`alter table ${named(placed, whole)} add constraint ${quoted(name)} ${text}`)
  for (const { text } of indexes) await client.query(text)
  if (counted) {
    const column = quoted(counted.column)
    await client.query(`alter table ${named(placed, whole)}
      alter ${column} set default nextval(${literal(counted.sequence)}::regclass)`)
    await client.query(
      `alter sequence ${counted.sequence} owned by ${named(placed, whole)}.${column}`,
    )
  }
  const at = literal(boundary.toISOString())
  await client.query(`alter table ${named(placed, whole)} attach partition ${old}
    for values from (minvalue) to (${at})`)
  await client.query(`alter table ${named(placed, whole)} attach partition ${named(placed, later)}
    for values from (${at}) to (maxvalue)`)
}

async function changeKey(client: pg.ClientBase, placed: Placed) {
  if (await hasKey(client, placed)) return
  const { rows } = await client.query<{ ready: boolean }>(
    'select to_regclass($1) is not null as ready',
    [named(placed, keyIndex(placed))],
  )
  const name = quoted(`${placed.table}_pkey`)
  const columns = `(${placed.key.map(quoted).join(', ')})`
  await client.query(`alter table ${named(placed, placed.table)} drop constraint ${name},
    add constraint ${name} primary key ${
      rows[0]?.ready === true ? `using index ${quoted(keyIndex(placed))}` : columns
    }`)
}

/** Column that numbers rows: partitions cannot in PostgreSQL before 17, so that a sequence takes over. */
async function takeIdentity(client: pg.ClientBase, placed: Placed) {
  const plain = named(placed, placed.table)
  const { rows } = await client.query<{ column: string; sequence: string }>(
    `select attname as column, pg_get_serial_sequence($1, attname) as sequence from pg_attribute
     where attrelid = $1::regclass and attidentity <> '' and not attisdropped`,
    [plain],
  )
  const [found] = rows
  if (!found) return undefined
  const { rows: values } = await client.query<{ last_value: number; is_called: boolean }>(
    `select last_value, is_called from ${found.sequence}`,
  )
  const value = values[0]
  await client.query(`alter table ${plain} alter ${quoted(found.column)} drop identity`)
  const sequence = named(placed, `${placed.table}_${found.column}_number`)
  await client.query(`create sequence ${sequence}`)
  if (value)
    await client.query('select setval($1, $2, $3)', [sequence, value.last_value, value.is_called])
  return { column: found.column, sequence }
}

/** Indexes but that of the key, with the statements that make them. */
async function indexesOf(client: pg.ClientBase, placed: Placed) {
  const { rows } = await client.query<Definition>(
    `select relname as name, pg_get_indexdef(indexrelid) as text
     from pg_index join pg_class c on c.oid = indexrelid
     where indrelid = $1::regclass and not indisprimary and relname <> $2`,
    [named(placed, placed.table), ageIndex(placed)],
  )
  return rows
}

async function referencesOf(client: pg.ClientBase, placed: Placed) {
  const { rows } = await client.query<Definition>(
    `select conname as name, pg_get_constraintdef(oid) as text from pg_constraint
     where conrelid = $1::regclass and contype = 'f'`,
    [named(placed, placed.table)],
  )
  return rows
}
