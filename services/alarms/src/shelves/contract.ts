import { definePartContract, flag, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import { alarmId, inOrganization, ms } from '../asked-contract.ts'

const shelfReasons = ['maintenance', 'repair', 'sensor', 'nuisance', 'test', 'other'] as const
export type ShelfReason = (typeof shelfReasons)[number]
const shelfTargets = ['alarm', 'rule', 'device', 'group', 'class', 'organization'] as const
export type ShelfTarget = (typeof shelfTargets)[number]

const target = z.object({
  type: z.enum(shelfTargets),
  /** Id of an alarm, rule, device, device group or organization (resourceId), or the name of a class. */
  id: z.string().trim().min(1).max(500),
})

const times = {
  /** End, 15 minutes to 7 days from now. */
  until: ms,
  /** It ends already when the alarms that it holds have returned. */
  endOnReturn: z.boolean().default(false),
}
const why = {
  reason: z.enum(shelfReasons),
  note: z.string().trim().max(2_000).default(''),
}

/** Shelf as people see it. */
export const Shelf = z.object({
  id: z.uuid(),
  /** Organization that made it; it also holds alarms of those below where `below` is true. */
  orgResourceId: z.string(),
  below: z.boolean(),
  target: z.object({
    type: z.enum(shelfTargets),
    id: z.string(),
    /** Name of the alarm with its device, of the rule, device or class; empty for a group. */
    label: z.string(),
    /** Device of an alarm or device that is shelved. */
    deviceId: z.string().nullable(),
  }),
  reason: z.enum(shelfReasons),
  note: z.string(),
  until: ms,
  endOnReturn: z.boolean(),
  by: z.string(),
  createdAt: ms,
  /** The caller made it. */
  mine: z.boolean(),
  /** An organization above made it: who lifts it does so for the organization of the call and below. */
  fromAbove: z.boolean(),
  /** Actions that the caller's rights allow. */
  mayChange: z.boolean(),
  mayLift: z.boolean(),
  /** Open alarms that it holds, of those that the caller may see. */
  held: z.int(),
})
export type Shelf = z.output<typeof Shelf>

const id = z.object({ id: z.uuid() })

export const shelvesContract = definePartContract({
  errors: {
    shelf_too_long: 422,
    shelf_too_short: 422,
    note_required: 422,
    /** The same is shelved already; its end can be changed. */
    already_shelved: 409,
    too_many_shelves: 422,
    /** Rights that are limited to device groups or paths do not allow it. */
    shelf_too_wide: 403,
    /** An organization above made it: its end is changed there. */
    shelf_from_above: 403,
  },
  endpoints: {
    shelves: {
      method: 'GET',
      path: '/shelves',
      access: 'alarms:read',
      query: inOrganization.extend({
        search: z.string().max(500).optional(),
        type: z.enum(shelfTargets).optional(),
        reason: z.enum(shelfReasons).optional(),
        mine: flag.optional(),
        ...paging(50, 500),
      }),
      result: z.object({ data: z.array(Shelf), totalElements: z.int(), last: z.boolean() }),
    },
    shelf: {
      method: 'GET',
      path: '/shelves/:id',
      access: 'alarms:read',
      params: id,
      query: inOrganization,
      result: Shelf,
    },
    /** For a class of alarms, a rule, a device group and an organization also below, where the caller's rights reach. */
    createShelf: {
      method: 'POST',
      path: '/shelves',
      access: 'alarms:ack',
      query: inOrganization,
      body: z.object({ target, ...why, ...times }),
      result: Shelf,
      status: 201,
    },
    /** Shelves several alarms, each on its own; those that are shelved already, or not there, are left. */
    shelveAlarms: {
      method: 'POST',
      path: '/shelves/alarms',
      access: 'alarms:ack',
      query: inOrganization,
      body: z.object({ ids: z.array(alarmId).min(1).max(1_000), ...why, ...times }),
      result: z.object({
        done: z.array(alarmId),
        skipped: z.array(z.object({ id: alarmId, reason: z.enum(['already', 'not_found']) })),
      }),
      audit: 'own',
    },
    changeShelf: {
      method: 'PUT',
      path: '/shelves/:id',
      access: 'alarms:ack',
      params: id,
      query: inOrganization,
      body: z.object({
        until: ms,
        endOnReturn: z.boolean().optional(),
        note: z.string().trim().max(2_000).optional(),
      }),
      result: Shelf,
    },
    /** One from above ends for the organization of the call and those below it. */
    liftShelf: {
      method: 'DELETE',
      path: '/shelves/:id',
      access: 'alarms:ack',
      params: id,
      query: inOrganization,
      result: z.undefined(),
    },
  },
})
