import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { personalChannels } from '../asked-contract.ts'
import type { NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { MessageFacts, MessageKind } from '../message-contract.ts'
import { insertDeliveries, insertMessage } from '../messages/message-store.ts'
import { audienceOf } from '../recipients/audience.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'
import { compileOnCall } from '../schedules/on-call-rules.ts'
import type { ScheduleRow } from '../schedules/schedule-store.ts'
import { openAlarmsOf } from './handed-alarms.ts'

type Db = Kysely<NotificationsDb>
type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'now' | 'log'>

const longestTurnMs = 400 * 86_400_000

/** Tell people whose turn on call begins or ends, and of gaps: nobody is planned, or who is planned was removed. */
export async function tellHandOvers(deps: Deps) {
  const schedules = await deps.db.selectFrom('schedule').selectAll().execute()
  for (const schedule of schedules) {
    try {
      await tellHandOver(deps, schedule)
    } catch (error) {
      deps.log.error(error, 'a hand-over could not be told')
    }
  }
}

async function tellHandOver(deps: Deps, schedule: ScheduleRow) {
  const present = await onCallState(deps, schedule)
  if (!present || present.state === schedule.told_state) return
  const now = deps.now()
  const listed = present.isManned ? await openAlarmsOf(deps, schedule) : []
  const messages = await Promise.all(
    messagesOf(schedule, present, listed).map(async (message) => ({
      ...message,
      recipients: await resolveRecipients(deps, schedule.org, [{ type: 'user', id: message.to }]),
    })),
  )
  await deps.db.transaction().execute(async (tx) => {
    const own = await tx
      .updateTable('schedule')
      .set({
        told_state: present.state,
        told: present.isManned ? present.person : null,
        // A note is for one hand-over.
        ...(present.isManned && { note: '', note_by: '', note_at: null }),
      })
      .where('id', '=', schedule.id)
      .where('told_state', 'is not distinct from', schedule.told_state)
      .returning('id')
      .executeTakeFirst()
    if (!own) return
    for (const { kind, facts, recipients } of messages) {
      await insertTold(tx, schedule, { kind, facts, recipients, now })
    }
  })
}

type Present = {
  state: string
  person: string | null
  isManned: boolean
  until: number | undefined
}

/** Person on call now, and the end of the turn; undefined while the organization is deleted. */
async function onCallState(
  deps: Deps,
  { org, settings }: ScheduleRow,
): Promise<Present | undefined> {
  const at = deps.now().getTime()
  const turns = compileOnCall(settings).turnsBetween(at, at + longestTurnMs)
  const person = turns[0]?.person ?? null
  const named = person === null ? [] : [{ type: 'user' as const, id: person }]
  const { organization, people } = await resolveRecipients(deps, org, named)
  if (organization === null) return undefined
  const until = turns.length > 1 ? turns[0]?.to : undefined
  if (person === null) return { state: 'nobody', person, isManned: false, until }
  const isManned = people.length > 0
  return { state: `${isManned ? 'on' : 'removed'}:${person}`, person, isManned, until }
}

type Told = { to: string; kind: MessageKind; facts: MessageFacts }

/** Messages of a change: to who comes, who goes, and, where there is nobody, to who saved the schedule last. */
function messagesOf(
  { name, settings, told, told_state: before, updated_by: keeper, ...row }: ScheduleRow,
  { person, isManned, until }: Present,
  listed: MessageFacts['listed'],
): Told[] {
  const facts: MessageFacts = {
    schedule: name,
    zone: settings.zone,
    ...(until !== undefined && { until }),
    ...(person !== null && { person }),
  }
  const handed = {
    ...facts,
    ...(listed && { listed }),
    ...(row.note !== '' && { note: row.note, noteBy: row.note_by }),
  }
  const gone: Told[] =
    told !== null && told !== person
      ? [{ to: told, kind: 'offCall', facts: isManned ? handed : without(facts, 'person') }]
      : []
  if (isManned && person !== null) return [{ to: person, kind: 'onCall', facts: handed }, ...gone]
  // A schedule that begins later was never manned, and has no gap yet.
  return before === null && person === null ? [] : [{ to: keeper, kind: 'gap', facts }, ...gone]
}

function without(facts: MessageFacts, key: keyof MessageFacts): MessageFacts {
  const { [key]: _, ...rest } = facts
  return rest
}

type Inserted = Pick<Told, 'kind' | 'facts'> & {
  recipients: Awaited<ReturnType<typeof resolveRecipients>>
  now: Date
}

async function insertTold(tx: Db, { org, name }: ScheduleRow, told: Inserted) {
  const { kind, facts, recipients, now } = told
  if (recipients.organization === null || recipients.people.length === 0) return
  const message = {
    id: randomUUID(),
    notificationId: null,
    org,
    kind,
    about: name,
    aboutOrg: org,
    aboutGroups: [],
    total: facts.listed?.length ?? 0,
    severity: 0,
    facts,
  }
  await insertMessage(tx, message, now)
  const sent = { channels: personalChannels, severity: 0, now }
  await insertDeliveries(tx, message, { addressees: await audienceOf(tx, recipients, sent), now })
}
