import { dataPage, definePartContract, flag, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import {
  byId,
  clockTime,
  inOrganization,
  ms,
  personalChannels,
  timeZone,
} from '../asked-contract.ts'
import { RecipientFilter } from '../recipient-contract.ts'

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Number of a day of the week, Sunday is 0, from its number or its name in English. */
export function dayNumber(day: string | number) {
  const text = String(day).trim().toLowerCase()
  if (/^[0-6]$/.test(text)) return Number(text)
  const named = dayNames.findIndex((name) => name === text || name.slice(0, 3) === text)
  return named === -1 ? undefined : named
}

const Day = z
  .union([z.int(), z.string().max(20)])
  .refine(
    (day) => dayNumber(day) !== undefined,
    'must be 0 (Sunday) to 6, or a name such as MONDAY',
  )

const Times = z.object({ days: z.array(Day).max(7).default([]), from: clockTime, to: clockTime })

const Digest = z
  .object({
    at: z.array(clockTime).min(1).max(24).optional(),
    everyH: z.int().min(1).max(168).optional(),
  })
  .refine((digest) => (digest.at === undefined) !== (digest.everyH === undefined), {
    message: 'must have either at or everyH',
  })

/** Settings that are not on the existing wire. */
const Longreach = z.object({
  /** Channels of the people of the rule, and ids of channels of the organization. */
  channels: z
    .array(z.union([z.enum(personalChannels), z.uuid()]))
    .max(20)
    .default([...personalChannels]),
  escalation: z.uuid().nullable().default(null),
  digest: Digest.nullable().default(null),
  /** A message also says that an alarm is over. */
  onReturn: z.boolean().default(false),
  /** Hours at which messages go out; empty: at any. */
  times: z.array(Times).max(20).default([]),
  zone: timeZone.default('UTC'),
  group: z.enum(['organization', 'device', 'class']).default('organization'),
  /** Alarms of the organizations below too. */
  below: z.boolean().default(false),
})

const textList = (most: number, longest = 500) =>
  z.array(z.string().max(longest)).max(most).default([])

/** Notification rule as clients post it. */
export const NotificationSettings = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000).nullable().default(''),
  minimumSeverity: z.int().min(0).max(6).default(0),
  /** Minutes for which a message waits; it is not sent if somebody acknowledges before. */
  ackTime: z.int().min(0).max(10_080).default(0),
  enabled: z.boolean().default(true),
  /** Names of alarms, with `*` for any text; empty: all. */
  nameFilters: textList(100),
  /** Expressions over the fields of an alarm, all of which must hold. */
  extraFilters: textList(20, 10_000),
  /** Ids of device groups, of which the device must be in one; empty: all devices. */
  deviceGroupFilters: z
    .array(z.union([z.int(), z.string().regex(/^\d{1,10}$/, 'must be the id of a device group')]))
    .max(100)
    .default([]),
  recipientFilters: z.array(RecipientFilter).max(100).default([]),
  days: z.array(Day).max(7).default([]),
  longreach: Longreach.prefault({}),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

/** Notification rule on the existing wire, as it was posted. */
export const Notification = NotificationSettings.extend({
  id: z.uuid(),
  realmId: z.string(),
  orgResourceId: z.string(),
  updatedAt: ms,
})
export type Notification = z.output<typeof Notification>

/** Fields of an answer that clients send back, without effect. */
const ignored = ['id', 'realmId', 'orgResourceId', 'updatedAt', 'createdAt'] as const

const read = { access: 'notifications:read', query: inOrganization } as const

/** Reason for which an alarm makes no message by a rule, or the channels and people it would go to. */
const Tried = z.object({
  alarmId: z.string(),
  deviceLabel: z.string(),
  name: z.string(),
  gate: z.string(),
  detail: z.string(),
})

export const rulesContract = definePartContract({
  errors: {
    /** A recipient that is not in the organization, or a rule without any. */
    no_recipient: 422,
    /** Recipients outside need the permission notifications:update. */
    outside_not_allowed: 422,
    bad_expression: 422,
    /** Another rule or escalation uses it. */
    in_use: 409,
    too_many: 422,
  },
  endpoints: {
    notifications: {
      method: 'GET',
      path: '/notifications',
      access: 'notifications:read',
      query: inOrganization.extend({
        ...paging(10, 1_000),
        search: z.string().max(200).optional(),
        enabled: flag.optional(),
      }),
      result: dataPage(Notification),
    },
    createNotification: {
      method: 'POST',
      path: '/notifications',
      access: 'notifications:create',
      query: inOrganization,
      body: NotificationSettings,
      ignored,
      result: Notification,
      status: 201,
    },
    tryNotification: {
      method: 'POST',
      path: '/notifications/try',
      reads: true,
      ...read,
      body: z.object({
        notification: NotificationSettings.partial({ name: true }),
        /** Alarms that the rule is tried with, as if each was raised at `at`. */
        alarmIds: z.array(z.string().regex(/^[A-Za-z0-9_-]{22}$/)).max(50),
        at: ms.optional(),
      }),
      result: z.object({
        data: z.array(Tried),
        /** People who would get a message, and channels. */
        recipients: z.array(
          z.object({ type: z.string(), name: z.string(), channels: z.array(z.string()) }),
        ),
      }),
    },
    notification: {
      method: 'GET',
      path: '/notifications/:id',
      ...read,
      params: byId,
      result: Notification,
    },
    replaceNotification: {
      method: 'PUT',
      path: '/notifications/:id',
      access: 'notifications:update',
      query: inOrganization,
      params: byId,
      body: NotificationSettings,
      ignored,
      result: Notification,
    },
    deleteNotification: {
      method: 'DELETE',
      path: '/notifications/:id',
      access: 'notifications:delete',
      query: inOrganization,
      params: byId,
      result: z.undefined(),
    },
  },
})
