import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, clockTime, inOrganization, ms, timeZone } from '../asked-contract.ts'

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

const Schedule = ScheduleSettings.extend({
  id: z.uuid(),
  orgResourceId: z.string(),
  updatedAt: ms,
  updatedBy: z.string(),
})

const ignored = ['id', 'orgResourceId', 'updatedAt', 'updatedBy'] as const
const read = { access: 'notifications:read', query: inOrganization } as const
const change = { access: 'notifications:update', query: inOrganization } as const

export const schedulesContract = definePartContract({
  errors: { schedule_exists: 409, in_use: 409, no_recipient: 422, too_many: 422 },
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
    /** Person who is on call at a time (now without it), until when, and the gaps of the next 14 days. */
    onCallNow: {
      method: 'GET',
      path: '/schedules/:id/now',
      ...read,
      params: byId,
      query: inOrganization.extend({ at: z.coerce.number<number>().optional() }),
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
  },
})
