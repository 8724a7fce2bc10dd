import { publish } from '@longreach/kit/events'
import { serviceOf, type TestServer } from '@longreach/kit/testing'
import { createHash, randomUUID } from 'node:crypto'
import { type Insertable, type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { alarmsContract } from './contract.ts'
import type { AlarmsDb } from './database.ts'
import { insertShelves } from './shelves/shelf-store.ts'
import { endDueShelves, settleShelves } from './shelves/shelf-times.ts'
import { pulseAlarm } from './pulse/pulse-store.ts'
import { expressionSql } from './search/alarm-fields.ts'
import { alarmForNotifications } from './search/alarm-for-notifications.ts'
import { occurrences } from './search/visible.ts'

const contract = {
  ...alarmsContract,
  endpoints: {
    alarmForNotifications: alarmsContract.endpoints.alarmForNotifications,
    pulseAlarm: alarmsContract.endpoints.pulseAlarm,
  },
}

/** The tables of alarms, and the call that notifications makes: for tests of notifications only. */
export const alarmsForNotifications = serviceOf<AlarmsDb>()({
  contract,
  migrations: new URL('./migrations/', import.meta.url),
  handlers: (deps) => ({
    alarmForNotifications: alarmForNotifications(deps),
    pulseAlarm: pulseAlarm(deps),
  }),
})

/** 22 characters that are the same for the same text. */
const testId = (text: string) =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')

const dbOf = (server: TestServer) =>
  server.database.db.withSchema('alarms') as unknown as Kysely<AlarmsDb> // tables of its migrations

type Device = { org: string; label: string; groups?: number[]; deleted?: boolean }

/** Write a device into the tables of alarms. */
export async function writeDevice(server: TestServer, { org, label, ...more }: Device) {
  const device_id = testId(label)
  const row = { org, label, groups: more.groups ?? [], deleted: more.deleted ?? false }
  await dbOf(server)
    .insertInto('device')
    .values({ device_id, ...row })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet(row))
    .execute()
  return device_id
}

/** Shelve a device, as alarms does it. */
export async function writeShelf(
  server: TestServer,
  { org, device_id, until, now }: { org: string; device_id: string; until: Date; now: Date },
) {
  const db = dbOf(server)
  const id = randomUUID()
  await insertShelves(db, [
    {
      id,
      org,
      below: false,
      closed: [],
      source: null,
      label: device_id,
      target_type: 'device',
      target_id: device_id,
      device_id,
      reason: 'maintenance',
      note: '',
      until,
      end_on_return: false,
      by_sub: 'ann',
      by_user: 'ann',
      created_at: now,
      ended_at: null,
      ended_by: null,
      ended_how: null,
      pending: true,
    },
  ])
  await settleShelves({ db, now: () => now })
  return id
}

/** End the shelves whose time is over, as alarms does it each second. */
export const passShelves = (server: TestServer, now: Date) =>
  endDueShelves({ db: dbOf(server), now: () => now })

/** Ids of the alarms that the search of the database finds by an expression, for one who sees all. */
export async function searchAlarms(server: TestServer, expression: string) {
  const matching = expressionSql({ allValues: undefined }, expression)
  const { rows } = await sql<{ id: string }>`select o.id from ${occurrences}
    where ${matching} order by o.id`.execute(dbOf(server))
  return rows.map(({ id }) => id)
}

type Raised = Partial<Insertable<AlarmsDb['occurrence']>> & {
  org: string
  device_id: string
  name: string
  /** Rule with its texts; its id and version are those of the row. */
  rule?: object
  start: Date
}
type Kind = z.output<typeof alarmsContract.events.alarmsChanged.payload>['kind']

/** Write an occurrence, or change it, and publish that it changed. */
export async function writeAlarm(
  server: TestServer,
  raised: Raised,
  kind: Kind = 'raised',
  at?: Date,
) {
  const { rule, start, ...row } = raised
  const db = dbOf(server)
  const changed = at ?? start
  const level = Math.min(6, Math.max(0, row.severity ?? 5))
  const id = row.id ?? testId(`${row.device_id} ${row.name} ${start.getTime()}`)
  const full = {
    source: `d:${row.name}`,
    severity: 5,
    level,
    max_severity: level,
    start_t: start,
    heard_t: start,
    updated_t: changed,
    last_t: changed,
    active: true,
    ack_required: true,
    reset_required: false,
    needs_ack: true,
    needs_reset: false,
    ...row,
    id,
  }
  await db.transaction().execute(async (tx) => {
    if (rule && typeof row.rule_id === 'string' && typeof row.rule_version === 'number')
      await writeRule(tx, row, rule, start)
    await tx
      .insertInto('occurrence')
      .values(full)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(full))
      .execute()
    const isOpen =
      full.cleared !== true &&
      full.withdrawn !== true &&
      (full.active || full.ack_required || full.reset_required)
    await publish(tx, alarmsContract.events.alarmsChanged, {
      id,
      deviceId: row.device_id,
      orgResourceId: row.org,
      kind,
      severity: full.severity,
      isOpen,
      at: changed.getTime(),
    })
  })
  return id
}

async function writeRule(
  tx: Kysely<AlarmsDb>,
  { rule_id, rule_version, org, name }: Omit<Raised, 'rule' | 'start'>,
  rule: object,
  at: Date,
) {
  const [id, version, text] = [rule_id ?? '', rule_version ?? 1, JSON.stringify(rule)]
  await tx
    .insertInto('rule')
    .values({
      id,
      org,
      version,
      below: false,
      name,
      enabled: true,
      rule: text,
      created_at: at,
      updated_at: at,
      updated_by: 'test',
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await tx
    .insertInto('rule_version')
    .values({ rule_id: id, version, below: false, rule: text, at, by_user: 'test' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
