import { definePartContract, flag } from '@longreach/kit/contract'
import { z } from 'zod'
import { alarmId, deviceId, inOrganization, ms, OwnShelf } from '../asked-contract.ts'
import { ListCounts, listFilters } from './list-contract.ts'

/** Facts of an alarm that are not on the existing wire. Times are ms since 1970. */
const Longreach = z.object({
  /** Rule that raised it; null for an alarm of the device itself. */
  rule: z.uuid().nullable(),
  /** Version of the rule at the raise. */
  version: z.int().nullable(),
  instance: z.string().nullable(),
  class: z.string(),
  maxSeverity: z.int(),
  /** Raises in this occurrence. */
  raises: z.int(),
  /** Start, and the return where it has returned. */
  since: ms,
  returnedAt: ms.nullable(),
  closedAt: ms.nullable(),
  /** Time at which the platform heard of it; over a second after `since` it came late. */
  heardAt: ms,
  shelf: OwnShelf.nullable(),
  suppressed: z.boolean(),
  /** Name of the alarm that came first in its group; null when it is not in one or was the first. */
  firstOut: z.string().nullable(),
  late: z.boolean(),
  withdrawn: z.boolean(),
  /** The platform knows it from a session before the present one; the device has not repeated it. */
  unconfirmed: z.boolean(),
  assignee: z.string().nullable(),
  comments: z.int(),
  cause: z.string(),
  consequence: z.string(),
  response: z.string(),
  /** Time by which somebody should have responded. */
  respondBy: ms.nullable(),
  link: z.string(),
  /** A command to the device that has no answer yet. */
  command: z.enum(['WAITING', 'SENT', 'UNANSWERED']).nullable(),
  /** Path of the value, where the caller may read it. */
  path: z.string().nullable(),
  /** Values at the raise, for texts: value and limit, and values of paths by their text. */
  words: z
    .object({
      value: z.unknown(),
      limit: z.unknown(),
      values: z.record(z.string(), z.unknown()),
    })
    .nullable(),
  /** Texts of the rule by language; they contain `{device} {value} {limit}` and paths. */
  texts: z.record(z.string(), z.string()),
})

/** Alarm on the existing wire (`contracts.md` 5.3); every key is there, numbers are never null. */
export const Alarm = z.object({
  id: alarmId,
  realmId: z.string(),
  orgResourceId: z.string(),
  deviceId,
  deviceLabel: z.string(),
  name: z.string(),
  description: z.string(),
  tag: z.string(),
  /** As the device sent it; of a rule 0 to 6. */
  severity: z.int(),
  status: z.enum(['ACTIVE', 'NOT_ACTIVE', 'CLEARED']),
  ack: z.enum(['REQUIRED', 'NOT_REQUIRED']),
  reset: z.enum(['REQUIRED', 'NOT_REQUIRED']),
  enabled: z.enum(['ENABLED', 'NOT_ENABLED']),
  /** The same as `enabled`, as some clients name it. */
  alarmEnabled: z.enum(['ENABLED', 'NOT_ENABLED']),
  action: z.enum(['ACK', 'NO_ACK', 'RESET']),
  updatedAt: ms,
  eventTimestamp: ms,
  acknowledgedDate: ms.optional(),
  comment: z.string().nullable(),
  /** The platform acted alone: the device was not asked, or did not answer. */
  platformAction: z.boolean(),
  value_double: z.number().optional(),
  value_integer: z.int().optional(),
  value_longinteger: z.number().optional(),
  value_boolean: z.boolean().optional(),
  value_string: z.string().optional(),
  value_binaryblob: z.string().optional(),
  longreach: Longreach,
})
export type Alarm = z.output<typeof Alarm>

/** Change of an occurrence, oldest first. */
export const HistoryItem = z.object({
  status: Alarm.shape.status,
  ack: Alarm.shape.ack,
  reset: Alarm.shape.reset,
  enabled: Alarm.shape.enabled,
  action: Alarm.shape.action,
  description: z.string(),
  severity: z.int(),
  updatedAt: ms,
  value: z.unknown(),
  value_double: z.number().optional(),
  value_integer: z.int().optional(),
  value_longinteger: z.number().optional(),
  value_boolean: z.boolean().optional(),
  value_string: z.string().optional(),
  value_binaryblob: z.string().optional(),
  longreach: z.object({
    n: z.int(),
    kind: z.string(),
    heardAt: ms,
    by: z.string().nullable(),
    comment: z.string().nullable(),
    /** Reason of a change that nobody commented, such as `superseded`, or why it was shelved. */
    reason: z.string().nullable(),
  }),
})

/** Alarm with all that a notification says of it, for a service that checks the rights of each reader. */
export const NotifiedAlarm = z.object({
  ...Alarm.pick({
    id: true,
    orgResourceId: true,
    deviceId: true,
    deviceLabel: true,
    name: true,
    description: true,
    tag: true,
    severity: true,
    status: true,
    ack: true,
    reset: true,
    eventTimestamp: true,
    updatedAt: true,
  }).shape,
  longreach: Longreach.pick({
    rule: true,
    version: true,
    instance: true,
    class: true,
    since: true,
    returnedAt: true,
    closedAt: true,
    heardAt: true,
    suppressed: true,
    firstOut: true,
    late: true,
    withdrawn: true,
    cause: true,
    consequence: true,
    response: true,
    respondBy: true,
    link: true,
    words: true,
    texts: true,
  }),
  /** Severity held to 0 to 6. */
  level: z.int().min(0).max(6),
  isOpen: z.boolean(),
  isShelved: z.boolean(),
  /** Person who shelved it, and until when; null when it is not shelved. */
  shelf: z.object({ by: z.string(), until: ms }).nullable(),
  /** Device groups of the device, by which readers are limited. */
  groups: z.array(z.int()),
  /** The device is in the trash. */
  isDeviceDeleted: z.boolean(),
  /**
   * Paths that its rule judges, as the device has them: who may read some paths alone sees it only where these are
   * among them. Null for an alarm of the device itself, whose paths are not known.
   */
  paths: z.array(z.string()).nullable(),
})
export type NotifiedAlarm = z.output<typeof NotifiedAlarm>

const severityCounts = z.array(z.object({ severity: z.int(), count: z.int() }))

/** Fields of a search on the existing wire. */
const Search = z.object({
  /** Expression over the fields of an alarm: `status == "ACTIVE" and name ~= "oven*"`. */
  data: z.string().max(10_000).optional(),
  orderBy: z.string().max(100).optional(),
  orderDir: z.string().max(10).optional(),
  page: z.int().min(0).max(1_000_000).default(0),
  pageSize: z.int().min(1).max(1_000).default(10),
  /** Organization of the call, for clients that name it here alone. */
  scopedOrganization: z.string().max(500).optional(),
})

export const searchContract = definePartContract({
  errors: { bad_expression: 400, bad_order: 400, bad_cursor: 400 },
  endpoints: {
    searchAlarms: {
      method: 'POST',
      path: '/search',
      reads: true,
      access: 'alarms:read',
      query: inOrganization,
      body: Search,
      result: z.object({
        data: z.array(Alarm),
        totalElements: z.int(),
        totalPages: z.int(),
        number: z.int(),
        size: z.int(),
        last: z.boolean(),
      }),
    },
    /** Own list: pages by key, with counts of everything that the filter finds. */
    listAlarms: {
      method: 'POST',
      path: '/list',
      reads: true,
      access: 'alarms:read',
      query: inOrganization,
      body: z.object({
        /** Open ones (severest first), or the history (newest first). */
        kind: z.enum(['open', 'history', 'shelved']).default('open'),
        data: z.string().max(10_000).optional(),
        ...listFilters,
        /** Those that this shelf holds. */
        shelfId: z.uuid().optional(),
        from: ms.optional(),
        to: ms.optional(),
        /** Open at this time, as it is known now. */
        asOf: ms.optional(),
        next: z.string().max(500).optional(),
        pageSize: z.int().min(1).max(1_000).default(50),
      }),
      result: z.object({
        data: z.array(Alarm),
        next: z.string().nullable(),
        /** Time of the answer by the clock of the server. */
        at: ms,
        counts: ListCounts,
      }),
    },
    alarmHistory: {
      method: 'GET',
      path: '/:id',
      access: 'alarms:read',
      params: z.object({ id: alarmId }),
      query: inOrganization,
      result: z.object({ data: z.array(HistoryItem) }),
    },
    alarmForNotifications: {
      method: 'GET',
      path: '/internal/alarms/:id',
      access: 'service',
      params: z.object({ id: alarmId }),
      result: NotifiedAlarm,
    },
    alarmDetail: {
      method: 'GET',
      path: '/:id/detail',
      access: 'alarms:read',
      params: z.object({ id: alarmId }),
      query: inOrganization,
      result: z.object({
        alarm: Alarm,
        history: z.array(HistoryItem),
        /** The person who takes care of it may no longer read the device, or is gone. */
        assigneeIsGone: z.boolean(),
      }),
    },
    severityCount: {
      method: 'GET',
      path: '/severityCount',
      access: 'alarms:read',
      query: inOrganization.extend({ below: flag.optional() }),
      result: severityCounts,
    },
    severityCountByDevice: {
      method: 'GET',
      path: '/severityCountByDevice',
      access: 'alarms:read',
      query: inOrganization.extend({
        filter: z.string().max(10_000).optional(),
        /** Only devices whose attributes do not tell the caller of open alarms, as some alarms are hidden. */
        limited: flag.optional(),
        pageSize: z.coerce.number<number>().int().min(1).max(1_000).default(100),
        next: z.string().max(500).optional(),
      }),
      result: z.object({
        data: z.array(z.record(z.string(), severityCounts)),
        last: z.boolean(),
        next: z.string().nullable(),
      }),
    },
  },
})
