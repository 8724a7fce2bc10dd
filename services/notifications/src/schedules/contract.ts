import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, clockTime, inOrganization, languages, ms, timeZone } from '../asked-contract.ts'

const name = z.string().trim().min(1).max(200)
const person = z.string().min(1).max(255)
const Layer = z
  .object({
    /** Subjects or user names in the order of their turns. */
    people: z.array(person).min(1).max(50),
    /** Length of a turn in days. */
    everyDays: z.int().min(1).max(366),
    /** Day of the week (Sunday 0) and time at which turns change; the day counts for turns of whole weeks. */
    handOver: z.object({
      day: z.int().min(0).max(6),
      time: clockTime,
    }),
    from: ms,
    to: ms.optional(),
  })
  .refine(({ from, to: end }) => end === undefined || end > from, {
    path: ['to'],
    message: 'must be later than from',
  })
const Override = z
  .object({ person, from: ms, to: ms })
  .refine(({ from, to: end }) => end > from, { path: ['to'], message: 'must be later than from' })

/** On-call schedule: a later layer stands before an earlier one while it lasts, an override before all layers. */
export const ScheduleSettings = z.object({
  name,
  zone: timeZone,
  layers: z.array(Layer).max(20),
  overrides: z.array(Override).max(500).default([]),
})
export type ScheduleSettings = z.output<typeof ScheduleSettings>

/** Note of the person on call for the next one; it is in the message of the hand-over. */
const Note = z.object({ text: z.string(), by: z.string(), at: ms })

const Schedule = ScheduleSettings.extend({
  id: z.uuid(),
  orgResourceId: z.string(),
  note: Note.nullable(),
  /** There is a secret address of its calendar. */
  hasCalendar: z.boolean(),
  updatedAt: ms,
  updatedBy: z.string(),
})

const ignored = ['id', 'orgResourceId', 'note', 'hasCalendar', 'updatedAt', 'updatedBy'] as const
const read = { access: 'notifications:read', query: inOrganization } as const
const change = { access: 'notifications:update', query: inOrganization } as const

export const schedulesContract = definePartContract({
  errors: {
    schedule_exists: 409,
    in_use: 409,
    no_recipient: 422,
    too_many: 422,
    calendar_limit: 429,
  },
  endpoints: {
    schedules: {
      method: 'GET',
      path: '/schedules',
      ...read,
      result: z.object({ data: z.array(Schedule) }),
    },
    createSchedule: {
      method: 'POST',
      path: '/schedules',
      ...change,
      body: ScheduleSettings,
      result: Schedule,
      status: 201,
    },
    replaceSchedule: {
      method: 'PUT',
      path: '/schedules/:id',
      ...change,
      params: byId,
      body: ScheduleSettings,
      ignored,
      result: Schedule,
    },
    deleteSchedule: {
      method: 'DELETE',
      path: '/schedules/:id',
      ...change,
      params: byId,
      result: z.undefined(),
    },
    /** Person who is on call at a time (now without it), until when, and who follows; null is a gap. */
    onCallNow: {
      method: 'GET',
      path: '/schedules/:id/now',
      ...read,
      params: byId,
      query: inOrganization.extend({
        at: z.coerce.number<number>().optional(),
        /** Days of the turns. */
        days: z.coerce.number<number>().int().min(1).max(62).default(14),
      }),
      result: z.object({
        person: z.string().nullable(),
        until: ms.nullable(),
        turns: z.array(z.object({ person: z.string().nullable(), from: ms, to: ms })),
      }),
    },
    /** Stand in for the person on call, until a time. */
    addOverride: {
      method: 'POST',
      path: '/schedules/:id/overrides',
      access: 'notifications:read',
      query: inOrganization,
      params: byId,
      body: z.object({ person: person.optional(), from: ms.optional(), to: ms }),
      result: Schedule,
    },
    /** Note for the next person on call, by the present one or who may change schedules; empty: none. */
    setNote: {
      method: 'PUT',
      path: '/schedules/:id/note',
      access: 'notifications:read',
      query: inOrganization,
      params: byId,
      body: z.object({ text: z.string().trim().max(2_000) }),
      result: Schedule,
    },
    /** Secret address of the calendar; a former one ends. It is answered once. */
    makeCalendar: {
      method: 'POST',
      path: '/schedules/:id/calendar',
      ...change,
      params: byId,
      body: z.object({}).default({}),
      result: z.object({ url: z.string() }),
    },
    revokeCalendar: {
      method: 'DELETE',
      path: '/schedules/:id/calendar',
      ...change,
      params: byId,
      result: z.undefined(),
    },
    /** Calendar of a schedule (RFC 5545) for calendar programs, which do not sign in: the address is the secret. */
    calendar: {
      method: 'GET',
      path: '/schedules/calendar/:file',
      access: 'public',
      params: z.object({ file: z.string().max(100) }),
      query: z.object({ language: z.enum(languages).default('en') }),
      files: ['text/calendar'],
      result: z.undefined(),
    },
  },
})
