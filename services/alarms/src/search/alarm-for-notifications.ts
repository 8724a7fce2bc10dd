import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDb } from '../database.ts'
import type { NotifiedAlarm, searchContract } from './contract.ts'

type Handler = Handlers<typeof searchContract>['alarmForNotifications']

/** Alarm with its texts, for notifications; an alarm of a device in the trash is there, with a mark. */
export const alarmForNotifications =
  ({ db }: { db: Kysely<AlarmsDb> }): Handler =>
  async ({ params: { id } }) => {
    const row = await findNotified(db, id)
    if (!row) throw failure(alarmsContract, 'not_found', { message: `There is no alarm ${id}` })
    return toNotified(row)
  }

const findNotified = (db: Kysely<AlarmsDb>, id: string) =>
  db
    .selectFrom('occurrence as o')
    .leftJoin('device as d', 'd.device_id', 'o.device_id')
    .leftJoin('rule_version as v', (join) =>
      join.onRef('v.rule_id', '=', 'o.rule_id').onRef('v.version', '=', 'o.rule_version'),
    )
    .where('o.id', '=', id)
    .selectAll('o')
    .leftJoin('shelf as s', 's.id', 'o.shelf_id')
    .select(['d.label', 'd.groups', 'd.deleted', 'v.rule', 's.by_user', 's.until'])
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof findNotified>>>

/** Fields of a stored rule that a notification needs. */
type RuleFacts = {
  texts?: Record<string, string>
  cause?: string
  consequence?: string
  response?: string
  respondWithinMs?: number
  link?: string
}
type Words = { value: unknown; limit: unknown; values: Record<string, unknown> }

function toNotified(row: Row): z.input<typeof NotifiedAlarm> {
  const rule = (row.rule ?? {}) as RuleFacts // written by alarms, in the form of `Rule`
  const since = row.start_t.getTime()
  return {
    id: row.id,
    orgResourceId: row.org,
    deviceId: row.device_id,
    deviceLabel: row.label ?? row.device_id,
    name: row.name,
    description: row.description,
    tag: row.tag,
    severity: row.severity,
    status: row.cleared ? 'CLEARED' : row.active ? 'ACTIVE' : 'NOT_ACTIVE',
    ack: row.ack_required ? 'REQUIRED' : 'NOT_REQUIRED',
    reset: row.reset_required ? 'REQUIRED' : 'NOT_REQUIRED',
    eventTimestamp: since,
    updatedAt: row.updated_t.getTime(),
    longreach: { ...notifiedTimes(row, since), ...notifiedTexts(row, rule, since) },
    level: row.level,
    isOpen: row.open,
    isShelved: row.shelf_id !== null,
    shelf:
      row.by_user === null || row.until === null
        ? null
        : { by: row.by_user, until: row.until.getTime() },
    groups: row.groups ?? [],
    isDeviceDeleted: row.deleted ?? false,
    paths: row.paths,
  }
}

const notifiedTimes = (row: Row, since: number) => ({
  rule: row.rule_id,
  version: row.rule_version,
  instance: row.instance,
  class: row.class,
  since,
  returnedAt: row.returned_t?.getTime() ?? null,
  closedAt: row.closed_t?.getTime() ?? null,
  heardAt: row.heard_t.getTime(),
  suppressed: row.suppressed,
  firstOut: row.first_out === row.source ? null : row.first_out,
  late: row.late,
  withdrawn: row.withdrawn,
})

const notifiedTexts = (row: Row, rule: RuleFacts, since: number) => ({
  cause: rule.cause ?? '',
  consequence: rule.consequence ?? '',
  response: rule.response ?? '',
  respondBy: rule.respondWithinMs === undefined ? null : since + rule.respondWithinMs,
  link: rule.link ?? '',
  words: row.words as Words | null, // written by alarms, as `platform.rule_changed` has them
  texts: rule.texts ?? {},
})
