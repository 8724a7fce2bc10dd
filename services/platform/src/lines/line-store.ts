import { publishAll } from '@longreach/kit/events'
import { processIsGone } from '@longreach/kit/own-process'
import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../database.ts'
import { lockDevices, markConnected, markDisconnected } from './connected-devices.ts'
import { linesContract } from './contract.ts'

/** Connection that a process has taken, by the device and the client id that it gave. */
export type LineKey = { deviceId: string; clientId: string }
type Claim = LineKey & { ip: string; since: Date; lostAt: Date | undefined }
/** Process that a line belongs to, and how long its device is waited for after a loss. */
type Holder = { node: number; graceMs: number }
export type Epoch = LineKey & { epoch: number }

type Row = { device_id: string; client_id: string; epoch: number }
const lineOf = ({ device_id: deviceId, client_id: clientId, epoch }: Row): Epoch => ({
  deviceId,
  clientId,
  epoch,
})
const columnsOf = (keys: readonly LineKey[]) =>
  sql`${keys.map(({ deviceId }) => deviceId)}::text[], ${keys.map(({ clientId }) => clientId)}::text[]`

/**
 * Gives lines to a process, each with the next epoch; other processes that have the lines are notified.
 * A line that is not in the answer belongs to a device that is gone.
 */
export const takeLines = (
  db: Kysely<ServiceDb>,
  { node, graceMs }: Holder,
  claims: readonly Claim[],
): Promise<Epoch[]> =>
  db.transaction().execute(async (tx) => {
    await lockDevices(
      tx,
      claims.map(({ deviceId }) => deviceId),
    )
    const { rows } = await sql<Row & { elsewhere: boolean }>`
      with claim as (
        select * from unnest(${columnsOf(claims)}, ${claims.map(({ ip }) => ip)}::text[],
          ${claims.map(({ since }) => since)}::timestamptz[],
          ${claims.map(({ lostAt }) => lostAt ?? null)}::timestamptz[])
          as c (device_id, client_id, ip, since, lost_at)
        where exists (select from platform.device_state s where s.device_id = c.device_id)
      ), before as (
        select l.device_id, l.client_id from platform.line l join claim using (device_id, client_id)
        where l.node <> ${node} and l.lost_at is null and not ${processIsGone('l.node')}
      ), taken as (
        insert into platform.line (device_id, client_id, node, epoch, ip, since, lost_at, due)
        select device_id, client_id, ${node}, nextval('platform.line_epoch'), ip, since, lost_at,
          case when lost_at is not null then ${after(graceMs)} end
        from claim order by device_id, client_id
        on conflict (device_id, client_id) do update set node = excluded.node,
          epoch = excluded.epoch, ip = excluded.ip, since = excluded.since,
          lost_at = excluded.lost_at, due = excluded.due
        returning device_id, client_id, epoch
      )
      select t.*, b.device_id is not null as elsewhere
      from taken t left join before b using (device_id, client_id)`.execute(tx)
    await markConnected(
      tx,
      claims.map(({ deviceId, ip, since }) => ({ deviceId, ip, at: since })),
    )
    const fromOthers = rows.filter(({ elsewhere }) => elsewhere)
    await publishAll(tx, linesContract.events.lineTaken, fromOthers.map(lineOf))
    return rows.map(lineOf)
  })

/** SQL for the time that is so many ms from now, by the clock of the database: all processes wait by it. */
export const after = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000})`

/**
 * Marks lines as lost, unless somebody has taken them since. Rows of lines are always locked in the order of
 * their keys, so that no two processes wait for each other.
 */
export async function loseLines(
  db: Kysely<ServiceDb>,
  graceMs: number | undefined,
  lines: readonly (Epoch & { lostAt: Date })[],
) {
  await sql`with gone as (
      select l.device_id, l.client_id, c.lost_at from platform.line l
      join unnest(${columnsOf(lines)}, ${lines.map(({ epoch }) => epoch)}::bigint[],
      ${lines.map(({ lostAt }) => lostAt)}::timestamptz[])
      as c (device_id, client_id, epoch, lost_at) using (device_id, client_id, epoch)
      order by l.device_id, l.client_id for update of l)
    update platform.line l set lost_at = gone.lost_at, due = ${graceMs === undefined ? null : after(graceMs)}
    from gone where l.device_id = gone.device_id and l.client_id = gone.client_id`.execute(db)
}

/** Marks all lines of a process that stops as lost; they get their time when that is noticed. */
export async function giveLinesBack(db: Kysely<ServiceDb>, node: number, at: Date) {
  await sql`with own as (
      select device_id, client_id from platform.line where node = ${node} and lost_at is null
      order by device_id, client_id for update)
    update platform.line l
    set lost_at = greatest(l.since + interval '1 ms', ${at}::timestamptz), due = null
    from own where l.device_id = own.device_id and l.client_id = own.client_id`.execute(db)
}

/** Number of lines that a process has by the table, and the sum of their epochs, as text. */
export async function figuresOfLines(db: Kysely<ServiceDb>, node: number) {
  const { rows } = await sql<{ count: number; sum: string }>`
    select count(*)::int as count, coalesce(sum(epoch), 0)::text as sum
    from platform.line where node = ${node} and lost_at is null`.execute(db)
  return rows[0] ?? { count: 0, sum: '0' }
}

/** Lines that a process has by the table. */
export async function linesOfProcess(db: Kysely<ServiceDb>, node: number): Promise<Epoch[]> {
  const { rows } = await sql<Row>`select device_id, client_id, epoch
    from platform.line where node = ${node} and lost_at is null`.execute(db)
  return rows.map(lineOf)
}

/** Epochs of lines, whichever process has them. */
export async function epochsOf(
  db: Kysely<ServiceDb>,
  keys: readonly LineKey[],
): Promise<(Epoch & { lost: boolean })[]> {
  const { rows } = await sql<Row & { lost: boolean }>`
    select l.device_id, l.client_id, l.epoch, l.lost_at is not null as lost from platform.line l
    join unnest(${columnsOf(keys)}) as c (device_id, client_id) using (device_id, client_id)`.execute(
    db,
  )
  return rows.map((row) => ({ ...lineOf(row), lost: row.lost }))
}

/** Number of the process that a device is connected to; undefined when it is connected to none. */
export async function processOf(db: Kysely<ServiceDb>, deviceId: string) {
  const { rows } = await sql<{ node: number }>`select node from platform.line
    where device_id = ${deviceId} and lost_at is null order by epoch desc limit 1`.execute(db)
  return rows[0]?.node
}

/** Address from which a device is connected, to whichever process; undefined when it is not. */
async function addressOf(db: Kysely<ServiceDb>, deviceId: string) {
  const { rows } = await sql<{ ip: string | null }>`select ip from platform.line
    where device_id = ${deviceId} and lost_at is null order by epoch desc limit 1`.execute(db)
  return rows[0]
}

export const deleteLinesOf = (tx: Kysely<ServiceDb>, deviceId: string) =>
  tx.deleteFrom('line').where('device_id', '=', deviceId).execute()

/**
 * Brings what is shown of a device in line with its lines, without waiting for the grace time; says
 * from which address it is connected.
 */
export const agreeWithLines = (db: Kysely<ServiceDb>, deviceId: string, now: Date) =>
  db.transaction().execute(async (tx) => {
    await lockDevices(tx, [deviceId])
    const line = await addressOf(tx, deviceId)
    if (line) {
      await markConnected(tx, [{ deviceId, ip: line.ip, at: now }])
      return line
    }
    // All that are left are lost.
    await deleteLinesOf(tx, deviceId)
    await markDisconnected(tx, [{ deviceId, at: now }])
    return undefined
  })
