import type pg from 'pg'
import {
  holdingTable,
  firstPartition,
  laterPartition,
  literal,
  monthPartition,
  monthStart,
  named,
  type Partition,
  partitionsOf,
  type Placed,
  proofOf,
  quoted,
} from './months.ts'

/** Rows of a month that stay after its time, moved in one transaction; a month with more stays whole. */
const mostMoved = 5_000
/** Rows that one statement deletes. */
const atOnce = 5_000

/** Makes the partitions up to the end of the next month; answers the new ones. */
export async function addMonths(client: pg.ClientBase, placed: Placed, now: Date) {
  const needed = monthStart(now, 2)
  const added: string[] = []
  for (;;) {
    const later = (await partitionsOf(client, placed))?.at(-1)
    if (!later?.since || later.since >= needed) return added
    const { since } = later
    await holdingTable(client, placed, () => addMonth(client, placed, since))
    added.push(monthPartition(placed, since))
  }
}

/** Takes the month that begins then off the partition for later times, with the rows that are there. */
async function addMonth(client: pg.ClientBase, placed: Placed, since: Date) {
  const [whole, later] = [named(placed, placed.table), named(placed, laterPartition(placed))]
  const month = named(placed, monthPartition(placed, since))
  const [from, to] = [since, monthStart(since, 1)].map((at) => literal(at.toISOString()))
  const time = quoted(placed.time)
  await client.query(`alter table ${whole} detach partition ${later}`)
  await client.query(`create table ${month} (like ${whole} including all)`)
  await client.query(`with gone as (delete from ${later} where ${time} < ${to} returning *)
    insert into ${month} select * from gone`)
  await client.query(
    `alter table ${whole} attach partition ${month} for values from (${from}) to (${to})`,
  )
  await client.query(
    `alter table ${whole} attach partition ${later} for values from (${to}) to (maxvalue)`,
  )
}

/**
 * Drops the months that are over since before their time, the oldest first; rows that stay move into the
 * first partition. What is too old in the first partition is deleted by row. Answers the dropped months.
 */
export async function dropOldMonths(client: pg.ClientBase, placed: Placed, now: Date) {
  const before = new Date(now.getTime() - placed.keptMs)
  const dropped: string[] = []
  for (;;) {
    const [first, month] = (await partitionsOf(client, placed)) ?? []
    if (!first) return dropped
    await deleteOldRows(client, placed, { partition: first, before })
    if (!month?.until || month.until > before) return dropped
    if (await staysWhole(client, placed, { partition: month, before })) {
      await deleteOldRows(client, placed, { partition: month, before })
      return dropped
    }
    await proveFirst(client, placed, month.until)
    const over = { month, until: month.until, before }
    await holdingTable(client, placed, () => dropMonth(client, placed, over))
    dropped.push(month.name)
  }
}

type Old = { partition: Partition; before: Date }

const goesOf = ({ goes }: Placed) => `($1::timestamptz is not null and (${goes})) is true`

async function deleteOldRows(client: pg.ClientBase, placed: Placed, { partition, before }: Old) {
  const table = named(placed, partition.name)
  for (let some = atOnce; some === atOnce;) {
    const { rowCount } = await client.query(
      `delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${goesOf(placed)} limit ${atOnce}))`,
      [before],
    )
    some = rowCount ?? 0
  }
}

async function staysWhole(client: pg.ClientBase, placed: Placed, { partition, before }: Old) {
  const { rows } = await client.query<{ count: number }>(
    `select count(*) as count from (select from ${named(placed, partition.name)}
      where not (${goesOf(placed)}) limit ${mostMoved + 1}) stays`,
    [before],
  )
  return (rows[0]?.count ?? 0) > mostMoved
}

const proofBefore = (placed: Placed, until: Date) =>
  `${proofOf(placed)}_${until.toISOString().slice(0, 7).replace('-', '_')}`

/** Makes known that all rows of the first partition are before a time, while others read and write. */
async function proveFirst(client: pg.ClientBase, placed: Placed, until: Date) {
  const first = named(placed, firstPartition(placed))
  const name = proofBefore(placed, until)
  if (!(await proofsOf(client, placed)).includes(name))
    await holdingTable(client, placed, async () => {
      await client.query(`alter table ${first} add constraint ${quoted(name)}
        check (${quoted(placed.time)} < ${literal(until.toISOString())}::timestamptz) not valid`)
    })
  await client.query(`alter table ${first} validate constraint ${quoted(name)}`)
}

async function proofsOf(client: pg.ClientBase, placed: Placed) {
  const { rows } = await client.query<{ name: string }>(
    `select conname::text as name from pg_constraint
     where conrelid = $1::regclass and contype = 'c' and starts_with(conname, $2)`,
    [named(placed, firstPartition(placed)), proofOf(placed)],
  )
  return rows.map(({ name }) => name)
}

type Over = { month: Partition; until: Date; before: Date }

/** Extends the first partition over a month, and drops the month but for the rows that stay. */
async function dropMonth(client: pg.ClientBase, placed: Placed, { month, until, before }: Over) {
  const [whole, first] = [named(placed, placed.table), named(placed, firstPartition(placed))]
  const old = named(placed, month.name)
  const proofs = await proofsOf(client, placed)
  await client.query(`alter table ${whole} detach partition ${first}`)
  await client.query(`alter table ${whole} detach partition ${old}`)
  for (const name of proofs)
    if (name !== proofBefore(placed, until))
      await client.query(`alter table ${first} drop constraint ${quoted(name)}`)
  await client.query(`insert into ${first} select * from ${old} where not (${goesOf(placed)})`, [
    before,
  ])
  await client.query(`drop table ${old}`)
  await client.query(`alter table ${whole} attach partition ${first}
    for values from (minvalue) to (${literal(until.toISOString())})`)
}
