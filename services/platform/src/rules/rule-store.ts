import { heldTime } from '@longreach/kit/held-time'
import { alarmsContract } from '@longreach/alarms/contract'
import { triggersContract } from '@longreach/triggers/contract'
import { publishAll } from '@longreach/kit/events'
import { processIsGone } from '@longreach/kit/own-process'
import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { RuleChanged } from './alarm-types.ts'
import type { Firing } from './trigger-types.ts'
import { noteJudgedPulse } from './pulse-station.ts'
import { saveProgress } from './rule-progress.ts'

type Db = Kysely<ServiceDb>

/** Device as it was when this process took it. */
type Taken = {
  seq: number
  clockT: number | null
  clockAt: number | null
  againSince: number | null
  /** Time until which another process, or this one before a restart, listened to the device. */
  heardUntil: number | undefined
}

/** Takes devices: what other processes write of them from now on is refused. */
export async function takeDevices(
  db: Db,
  deviceIds: readonly string[],
  { node, now }: { node: number; now: Date },
): Promise<Map<string, Taken>> {
  const { rows } = await sql<{
    device_id: string
    seq: number
    clock_t: number | null
    clock_at: number | null
    again_since: number | null
    heard: Date | null
  }>`
    with before as (
      select d.device_id, d.node, greatest(d.judged_at, p.beat) as heard
      from platform.rule_device d left join bus.process p on p.number = d.node
      where d.device_id = any(${[...deviceIds]}::text[]))
    insert into platform.rule_device (device_id, node, seq, judged_at)
    select device_id, ${node}::int, 1, ${now}::timestamptz from unnest(${[...deviceIds]}::text[]) as g (device_id)
    order by device_id
    on conflict (device_id) do update set node = excluded.node, seq = rule_device.seq + 1
    returning device_id, seq, clock_t, clock_at, again_since,
      (select b.heard from before b where b.device_id = rule_device.device_id
        and b.node is distinct from ${node}::int) as heard`.execute(db)
  return new Map(
    rows.map((row) => [
      row.device_id,
      {
        seq: row.seq,
        clockT: row.clock_t,
        clockAt: row.clock_at,
        againSince: row.again_since,
        heardUntil: row.heard?.getTime(),
      },
    ]),
  )
}

/** Number of the newest write about a device. */
export async function numberOfDevice(db: Db, deviceId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('rule_device')
    .select('seq')
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return row?.seq
}

export type StoredState = {
  ruleId: string
  instance: string
  version: number
  key: string
  rule: string
  zone: string | null
  state: string
}

/** States of devices that are stored, each with the rule that it was judged by. */
export async function readStates(
  db: Db,
  deviceIds: readonly string[],
): Promise<Map<string, StoredState[]>> {
  const { rows } = await sql<StoredState & { deviceId: string }>`
    select s.device_id as "deviceId", s.rule_id as "ruleId", s.instance, s.version, s.rule_key as key,
      s.state, t.rule, t.zone
    from platform.rule_state s join platform.rule_text t on t.key = s.rule_key
    where s.device_id = any(${[...deviceIds]}::text[])`.execute(db)
  return Map.groupBy(rows, ({ deviceId }) => deviceId)
}

/** Connections of devices, as they are shown. */
export async function connectionsOfDevices(db: Db, deviceIds: readonly string[]) {
  const rows = await db
    .selectFrom('device_state')
    .select(['device_id', 'connected', 'connected_at', 'disconnected_at'])
    .where('device_id', '=', sql<string>`any(${[...deviceIds]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.device_id, row]))
}

/** State of an instance to be written; without a text its row goes. */
export type StateWrite = {
  ruleId: string
  instance: string
  version: number
  key: string
  state: string | undefined
}
export type DeviceWrite = {
  deviceId: string
  /** As it was read or written last. */
  seq: number
  clockT: number | null
  clockAt: number | null
  dueAt: number | null
  againSince: number | null
  states: readonly StateWrite[]
}
type RoundWrite = {
  node: number
  at: Date
  devices: readonly DeviceWrite[]
  events: readonly RuleChanged[]
  firings: readonly Firing[]
  texts: readonly { key: string; rule: string; zone: string | null }[]
  /** Newest block of which all values were judged; undefined when there is no newer one. */
  progress: number | undefined
}

/** Another process has written about these devices meanwhile; nothing was written. */
export class TakenElsewhere extends Error {
  override name = 'TakenElsewhere'
  readonly deviceIds: readonly string[]
  constructor(deviceIds: readonly string[]) {
    super('another process judges these devices')
    this.deviceIds = deviceIds
  }
}

/** Writes states and publishes changes in one transaction. */
export const writeRound = (db: Db, round: RoundWrite) =>
  db.transaction().execute(async (tx) => {
    await raiseNumbers(tx, round)
    await writeTexts(tx, round)
    await writeStates(tx, round)
    await publishAll(tx, alarmsContract.events.ruleChanged, round.events)
    await noteJudgedPulse(tx, round.events, round.at)
    await publishAll(tx, triggersContract.events.triggerFired, round.firings)
    if (round.progress !== undefined) await saveProgress(tx, [round.progress], round.at)
  })

async function raiseNumbers(tx: Db, { node, at, devices }: RoundWrite) {
  if (devices.length === 0) return
  const sorted = devices.toSorted((one, other) => (one.deviceId < other.deviceId ? -1 : 1))
  const { rows } = await sql<{ device_id: string }>`
    with given as (
      select * from unnest(${sorted.map(({ deviceId }) => deviceId)}::text[],
        ${sorted.map(({ seq }) => seq)}::bigint[],
        ${sorted.map(({ clockT }) => clockT)}::float8[],
        ${sorted.map(({ clockAt }) => clockAt)}::float8[],
        ${sorted.map(({ dueAt }) => dueAt)}::float8[],
        ${sorted.map(({ againSince }) => againSince)}::float8[])
        as g (device_id, seq, clock_t, clock_at, due_at, again_since)),
    held as (
      select d.device_id from platform.rule_device d join given g using (device_id)
      where d.seq = g.seq order by d.device_id for update of d)
    update platform.rule_device d set seq = d.seq + 1, node = ${node}, judged_at = ${at},
      clock_t = g.clock_t, clock_at = g.clock_at, due_at = to_timestamp(g.due_at / 1000),
      again_since = g.again_since
    from given g join held using (device_id)
    where d.device_id = g.device_id and d.seq = g.seq
    returning d.device_id`.execute(tx)
  if (rows.length === devices.length) return
  const written = new Set(rows.map(({ device_id: id }) => id))
  throw new TakenElsewhere(
    devices.flatMap(({ deviceId }) => (written.has(deviceId) ? [] : [deviceId])),
  )
}

async function writeTexts(tx: Db, { texts, at }: RoundWrite) {
  if (texts.length === 0) return
  await sql`insert into platform.rule_text (key, rule, zone, used_at)
    select key, rule, zone, ${at} from unnest(${texts.map(({ key }) => key)}::text[],
      ${texts.map(({ rule }) => rule)}::text[], ${texts.map(({ zone }) => zone)}::text[])
      as g (key, rule, zone) order by key
    on conflict (key) do update set used_at = excluded.used_at`.execute(tx)
}

async function writeStates(tx: Db, { devices }: RoundWrite) {
  const all = devices.flatMap(({ deviceId, states }) =>
    states.map((state) => ({ deviceId, ...state })),
  )
  const gone = all.filter(({ state }) => state === undefined)
  if (gone.length > 0) {
    await sql`delete from platform.rule_state s using unnest(
      ${gone.map(({ deviceId }) => deviceId)}::text[], ${gone.map(({ ruleId }) => ruleId)}::uuid[],
      ${gone.map(({ instance }) => instance)}::text[]) as g (device_id, rule_id, instance)
      where s.device_id = g.device_id and s.rule_id = g.rule_id and s.instance = g.instance`.execute(
      tx,
    )
  }
  const kept = all.filter(({ state }) => state !== undefined)
  if (kept.length === 0) return
  await sql`insert into platform.rule_state (device_id, rule_id, instance, version, rule_key, state)
    select * from unnest(${kept.map(({ deviceId }) => deviceId)}::text[],
      ${kept.map(({ ruleId }) => ruleId)}::uuid[], ${kept.map(({ instance }) => instance)}::text[],
      ${kept.map(({ version }) => version)}::int[], ${kept.map(({ key }) => key)}::text[],
      ${kept.map(({ state }) => state)}::text[])
    on conflict (device_id, rule_id, instance) do update set version = excluded.version,
      rule_key = excluded.rule_key, state = excluded.state`.execute(tx)
}

/**
 * Devices whose timers are due and whose process has ended or has handed them back, at most so many. For ten
 * seconds no other process gets them.
 */
export async function dueDevices(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    with node as materialized (
      select distinct node from platform.rule_device where due_at <= clock_timestamp()),
    dead as materialized (select node from node where node is null or ${processIsGone('node')}),
    due as (
      select d.device_id from platform.rule_device d
      join dead on d.node is not distinct from dead.node
      where d.due_at <= clock_timestamp()
      order by d.due_at limit ${most} for update of d skip locked)
    update platform.rule_device d set due_at = clock_timestamp() + interval '10 s'
    from due where d.device_id = due.device_id returning d.device_id`.execute(db)
  return rows.map(({ device_id: id }) => id)
}

/** Leaves a device alone that is not there. */
export const leaveDevice = (db: Db, deviceId: string) =>
  db.updateTable('rule_device').set({ due_at: null }).where('device_id', '=', deviceId).execute()

/** Has devices looked at that no process judges, because a rule with states of theirs has changed. */
export const wakeDevicesOf = (tx: Db, ruleId: string) =>
  sql`
  update platform.rule_device set due_at = clock_timestamp()
  where device_id in (select device_id from platform.rule_state where rule_id = ${ruleId})`.execute(
    tx,
  )

/** Has a device looked at, if no process judges it. */
export const wakeDevice = (tx: Db, deviceId: string) =>
  sql`
  update platform.rule_device d set due_at = clock_timestamp()
  where device_id = ${deviceId} and (node is null or ${processIsGone('d.node')})`.execute(tx)

/** Hands devices back: others may judge them when their timers are due. */
export const giveDevicesBack = (db: Db, node: number, now: Date) =>
  db
    .updateTable('rule_device')
    .set({ node: null, judged_at: now })
    .where('node', '=', node)
    .execute()

/** Forgets all about a device. */
export async function forgetRulesOf(tx: Db, deviceId: string) {
  await tx.deleteFrom('rule_state').where('device_id', '=', deviceId).execute()
  await tx.deleteFrom('rule_device').where('device_id', '=', deviceId).execute()
  await tx.deleteFrom('rule_unjudged').where('device_id', '=', deviceId).execute()
}

/** Times at which a device came and went in a range, and the last one before it. */
export async function connectionsIn(
  db: Db,
  { id, org }: { id: string; org: string },
  { from, to }: { from: number; to: number },
): Promise<{ t: number; connected: boolean }[]> {
  const [first, last] = [heldTime(from), heldTime(to)]
  const { rows } = await sql<{ at: Date; connected: boolean }>`
    select at, connected from platform.connection_event
    where device_id = ${id} and org = ${org} and at < ${last}
      and at >= coalesce((select max(at) from platform.connection_event
        where device_id = ${id} and org = ${org} and at < ${first}), ${first})
    order by at limit 100000`.execute(db)
  return rows.map(({ at, connected }) => ({ t: at.getTime(), connected }))
}
