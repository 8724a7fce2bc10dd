import { processIsGone } from '@longreach/kit/own-process'
import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../database.ts'
import { after } from './line-store.ts'
import { lockDevices, markDisconnected } from './connected-devices.ts'

/** After so long without any server nobody waits for the devices that it had: they were away. */
const longAwayMs = 180_000
/** Lines that one transaction ends. */
const atOnce = 1_000

/** SQL of `dead`: the processes that have ended and have lines, by steps over the index of their numbers. */
const deadNodes = sql`node as (
    (select node from platform.line where lost_at is null order by node limit 1)
    union all
    select (select l.node from platform.line l where l.lost_at is null and l.node > n.node
      order by l.node limit 1) from node n where n.node is not null
  ), dead as (select node from node where node is not null and ${processIsGone('node.node')})`
const isDue = sql`lost_at is not null and due <= clock_timestamp()`

/** True when a process with lines has ended, or lost lines wait for their time to be set or have come to it. */
export async function areLinesLost(db: Kysely<ServiceDb>) {
  const { rows } = await sql<{ lost: boolean }>`
    with recursive ${deadNodes}
    select exists (select from dead)
      or exists (select from platform.line where lost_at is not null and due is null)
      or exists (select from platform.line where ${isDue}) as lost`.execute(db)
  return rows[0]?.lost === true
}

type Waiting = { now: Date; graceMs: number }

/**
 * Lines of processes that have ended: lost when the process last wrote that it works, and ended
 * after three grace times, in which the devices connect again.
 */
export async function loseLinesOfDead(db: Kysely<ServiceDb>, { now, graceMs }: Waiting) {
  await sql`
    with recursive ${deadNodes}, gone as (
      select device_id, client_id from platform.line
      where node in (select node from dead) and lost_at is null
      order by device_id, client_id for update)
    update platform.line l set lost_at = greatest(l.since + interval '1 ms',
      coalesce((select p.beat from bus.process p where p.number = l.node), ${now}::timestamptz))
    from gone where l.device_id = gone.device_id and l.client_id = gone.client_id`.execute(db)
  const longAgo = new Date(now.getTime() - longAwayMs)
  await sql`with lost as (
      select device_id, client_id from platform.line where lost_at is not null and due is null
      order by device_id, client_id for update)
    update platform.line l set due = case when l.lost_at < ${longAgo}::timestamptz
      then clock_timestamp() else ${after(3 * graceMs)} end
    from lost where l.device_id = lost.device_id and l.client_id = lost.client_id`.execute(db)
}

/** Ends lost lines whose time has come: a device without another line counts as disconnected. */
export async function endLostLines(db: Kysely<ServiceDb>) {
  for (let ended = atOnce; ended === atOnce;) ended = await endSome(db)
}

const endSome = (db: Kysely<ServiceDb>) =>
  db.transaction().execute(async (tx) => {
    const found = await sql<{ device_id: string }>`
      select device_id from platform.line where ${isDue} order by due limit ${atOnce}`.execute(tx)
    if (found.rows.length === 0) return 0
    const ids = found.rows.map((row) => row.device_id)
    await lockDevices(tx, ids)
    const { rows } = await sql<{ device_id: string; lost_at: Date }>`
      with ended as (
        delete from platform.line where device_id = any(${ids}::text[]) and ${isDue}
        returning device_id, lost_at)
      select device_id, max(lost_at) as lost_at from ended group by device_id`.execute(tx)
    await markDisconnected(
      tx,
      rows.map(({ device_id: deviceId, lost_at: at }) => ({ deviceId, at })),
    )
    return found.rows.length
  })
