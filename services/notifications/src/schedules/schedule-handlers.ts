import { can } from '@longreach/authorization/can'
import { reachOf } from '@longreach/authorization/reach'
import { recordChange } from '@longreach/kit/audit-trail'
import { AppError, failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { usersOf } from '../users-of.ts'
import { calendarHandlers, type createCalendarCounts } from './calendar-handlers.ts'
import type { ScheduleSettings, schedulesContract } from './contract.ts'
import { compileOnCall } from './on-call-rules.ts'
import {
  countSchedules,
  deleteSchedule,
  findSchedule,
  listSchedules,
  lockSchedule,
  saveSchedule,
  setScheduleNote,
  type ScheduleRow,
} from './schedule-store.ts'

const mostSchedules = 100
const dayMs = 86_400_000

type Deps = NotificationsDeps & { state: ReturnType<typeof createCalendarCounts> }

export function scheduleHandlers(deps: Deps): Handlers<typeof schedulesContract> {
  const { db } = deps
  return {
    ...calendarHandlers(deps),

    schedules: async (_, ctx) => ({
      data: (await listSchedules(db, reachOf(ctx))).map(toSchedule),
    }),

    createSchedule: async ({ body }, ctx) => {
      const org = ctx.organization.resourceId
      await checkPeople(deps, org, body)
      const row = { id: randomUUID(), org, ...untold, ...scheduleColumns(ctx, body) }
      await db.transaction().execute(async (tx) => {
        await holdScheduleNames(tx, org)
        if ((await countSchedules(tx, org)) >= mostSchedules) throw tooManySchedules()
        await storeSchedule(tx, ctx, 'create', { row })
      })
      return toSchedule(row)
    },

    replaceSchedule: async ({ params: { id }, body }, ctx) => {
      const found = await findSchedule(db, reachOf(ctx), id)
      if (!found) throw noSchedule(id)
      await checkPeople(deps, found.org, body)
      return changing(deps, ctx, id, () => body)
    },

    deleteSchedule: async ({ params: { id } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        const row = await lockSchedule(tx, reachOf(ctx), id)
        if (!row) throw noSchedule(id)
        const users = await usersOf(tx, row.org, id)
        if (users.length > 0) {
          const message = `The schedule is used by ${users.join(', ')}. Take it out there first.`
          throw failure(notificationsContract, 'in_use', { message, users })
        }
        await deleteSchedule(tx, id)
        await recordChange(tx, ctx, scheduleChange('delete', row))
      })
    },

    onCallNow: async ({ params: { id }, query: { at, days } }, ctx) => {
      const row = await findSchedule(db, reachOf(ctx), id)
      if (!row) throw noSchedule(id)
      const from = at ?? ctx.now.getTime()
      const turns = compileOnCall(row.settings).turnsBetween(from, from + days * dayMs)
      const [present] = turns
      return {
        person: present?.person ?? null,
        until: turns.length > 1 ? (present?.to ?? null) : null,
        turns,
      }
    },

    setNote: setNote(deps),
    addOverride: addOverride(deps),
  }
}

const setNote =
  ({ db }: NotificationsDeps): Handlers<typeof schedulesContract>['setNote'] =>
  async ({ params: { id }, body: { text } }, ctx) =>
    db.transaction().execute(async (tx) => {
      const before = await lockSchedule(tx, reachOf(ctx), id)
      if (!before) throw noSchedule(id)
      if (!isOnCall(ctx, before) && !can(ctx.capability, 'notifications', 'update')) {
        const permission = 'notifications:update'
        const message = `Only who is on call writes the note, or who has the permission ${permission}`
        throw new AppError(403, 'auth.missing_permission', { permission, message })
      }
      const by = ctx.caller.username
      const row = await setScheduleNote(tx, id, { text, by, at: ctx.now })
      await recordChange(tx, ctx, { ...scheduleChange('update', row), after: { note: text } })
      return toSchedule(row)
    })

const addOverride =
  (deps: NotificationsDeps): Handlers<typeof schedulesContract>['addOverride'] =>
  async ({ params: { id }, body }, ctx) => {
    const { username } = ctx.caller
    const { person = username, from = ctx.now.getTime(), to } = body
    if (person !== username && !can(ctx.capability, 'notifications', 'update')) {
      const permission = 'notifications:update'
      const message = `person: to put somebody else on call you need the permission ${permission}`
      throw new AppError(403, 'auth.missing_permission', { permission, message })
    }
    const found = await findSchedule(deps.db, reachOf(ctx), id)
    if (!found) throw noSchedule(id)
    const added = { person, from, to }
    await checkPeople(deps, found.org, { ...found.settings, layers: [], overrides: [added] })
    return changing(deps, ctx, id, (before) => ({
      ...before,
      // Those that are over are history that nobody asks for.
      overrides: [
        ...before.overrides.filter((one) => one.to > from - 30 * dayMs).slice(-499),
        added,
      ],
    }))
  }

const isOnCall = ({ caller, now }: OrgCtx, { settings }: ScheduleRow) => {
  const person = compileOnCall(settings).personAt(now.getTime())
  return person === caller.sub || person === caller.username
}

const untold = {
  told: null,
  told_state: null,
  note: '',
  note_by: '',
  note_at: null,
  calendar_hash: null,
}

const changing = (
  { db }: NotificationsDeps,
  ctx: OrgCtx,
  id: string,
  change: (before: ScheduleSettings) => ScheduleSettings,
) =>
  db.transaction().execute(async (tx) => {
    const before = await lockSchedule(tx, reachOf(ctx), id)
    if (!before) throw noSchedule(id)
    await holdScheduleNames(tx, before.org)
    const row = { ...before, ...scheduleColumns(ctx, change(before.settings)) }
    await storeSchedule(tx, ctx, 'update', { row, before })
    return toSchedule(row)
  })

const scheduleColumns = (ctx: OrgCtx, settings: ScheduleSettings) => ({
  name: settings.name,
  settings,
  updated_at: ctx.now,
  updated_by: ctx.caller.username,
})

type Stored = { row: ScheduleRow; before?: ScheduleRow }

async function storeSchedule(
  tx: Kysely<NotificationsDb>,
  ctx: OrgCtx,
  action: string,
  { row, before }: Stored,
) {
  if (!(await saveSchedule(tx, row))) {
    const message = `name: there is a schedule called ${row.name}. Take another name.`
    throw failure(notificationsContract, 'schedule_exists', { field: 'name', message })
  }
  const change = scheduleChange(action, row)
  await recordChange(tx, ctx, { ...change, ...(before && { before: before.settings }) })
}

const scheduleChange = (action: string, { id, name, org, settings }: ScheduleRow) => ({
  resource: 'notifications',
  action,
  id,
  label: name,
  organization: org,
  after: { schedule: settings },
})

/** Check that everybody who is named is in the organization. */
async function checkPeople(
  { clients }: NotificationsDeps,
  organization: string,
  settings: ScheduleSettings,
) {
  const named = [
    ...settings.layers.flatMap(({ people }, layer) =>
      people.map((person, place) => ({ person, field: `layers.${layer}.people.${place}` })),
    ),
    ...settings.overrides.map(({ person }, place) => ({
      person,
      field: `overrides.${place}.person`,
    })),
  ]
  const people = [...new Set(named.map(({ person }) => person))].slice(0, 1_000)
  const found = await clients.core.recipients({ body: { organization, people, groups: [] } })
  const known = new Set(found.people.flatMap(({ foundBy }) => foundBy))
  const missing = named.find(({ person }) => !known.has(person))
  if (!missing) return
  const message = `${missing.field}: there is no person "${missing.person}" in this organization`
  throw failure(notificationsContract, 'no_recipient', { field: missing.field, message })
}

const toSchedule = ({ id, org, settings, ...row }: ScheduleRow) => ({
  ...settings,
  id,
  orgResourceId: org,
  note:
    row.note === '' || row.note_at === null
      ? null
      : { text: row.note, by: row.note_by, at: row.note_at.getTime() },
  hasCalendar: row.calendar_hash !== null,
  updatedAt: row.updated_at.getTime(),
  updatedBy: row.updated_by,
})

const noSchedule = (id: string) =>
  failure(notificationsContract, 'not_found', { message: `There is no schedule ${id} here` })

const tooManySchedules = () =>
  failure(notificationsContract, 'too_many', {
    message: `An organization has at most ${mostSchedules} schedules. Delete some that nobody needs.`,
  })

/** Holds the lock under which the schedules of an organization are counted and named, until the transaction ends. */
const holdScheduleNames = (tx: Parameters<typeof holdLock>[0], org: string) =>
  holdLock(tx, 'notifications.schedules', org)
