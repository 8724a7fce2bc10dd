import { dataPage, definePartContract, flag, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'
import { MessageKind } from '../message-contract.ts'

const time = z.coerce.number<number>().min(-8e15).max(8e15)

const deliveryStates = ['WAITING', 'SENDING', 'SENT', 'FAILED', 'DROPPED'] as const

/** Message to one recipient over one channel. */
export const Delivery = z.object({
  id: z.uuid(),
  messageId: z.uuid(),
  notificationId: z.uuid().nullable(),
  notificationName: z.string(),
  orgResourceId: z.string(),
  kind: MessageKind,
  /** First alarm, as `device: name`, and the number of alarms. */
  about: z.string(),
  alarms: z.int(),
  severity: z.int(),
  recipient: z.string(),
  channel: z.string(),
  channelId: z.uuid().nullable(),
  /** The address is not that of a person of the organization. */
  outside: z.boolean(),
  state: z.enum(deliveryStates),
  /** Reason for which it was dropped: `no_right`, `rate`, `preference` … */
  gate: z.string(),
  attempt: z.int(),
  /** An earlier attempt may have arrived. */
  repeated: z.boolean(),
  /** Answer of the server, or the error. */
  answer: z.string(),
  ms: z.int().nullable(),
  nextAt: ms.nullable(),
  createdAt: ms,
  updatedAt: ms,
})
export type Delivery = z.output<typeof Delivery>

/** Message that failed, on the existing wire. */
const FailedNotification = z.object({
  id: z.uuid(),
  type: z.string(),
  destination: z.string(),
  /** First alarm of the message. */
  input: z.string(),
  error: z.string(),
  orgResourceId: z.string(),
  timestamp: ms,
})

export const outboxContract = definePartContract({
  errors: {
    /** Only a failed delivery is sent again. */
    not_failed: 409,
    bad_cursor: 400,
  },
  endpoints: {
    deliveries: {
      method: 'GET',
      path: '/deliveries',
      access: 'notifications:read',
      query: inOrganization.extend({
        ...paging(50, 500),
        state: z.enum(deliveryStates).optional(),
        channel: z.string().max(100).optional(),
        notificationId: z.uuid().optional(),
        search: z.string().max(200).optional(),
      }),
      result: dataPage(Delivery),
    },
    /** Deliveries by time, newest first; `next` of an answer is that of the next request. */
    deliveryLog: {
      method: 'GET',
      path: '/deliveries/log',
      access: 'notifications:read',
      query: inOrganization.extend({
        from: time.optional(),
        to: time.optional(),
        /** Only those that failed. */
        failed: flag.optional(),
        /** Text in the recipient, the channel, the answer, the notification or the alarm. */
        text: z.string().max(200).optional(),
        person: z.string().max(200).optional(),
        device: z.string().max(200).optional(),
        next: z.string().max(100).optional(),
        limit: z.coerce.number<number>().int().min(1).max(500).default(100),
      }),
      result: z.object({ data: z.array(Delivery), next: z.string().nullable() }),
    },
    sendAgain: {
      method: 'POST',
      path: '/deliveries/:id/again',
      access: 'notifications:update',
      params: byId,
      query: inOrganization,
      body: z.object({}).default({}),
      result: Delivery,
    },
    failedNotifications: {
      method: 'GET',
      path: '/failedNotifications',
      access: ['notifications:read', 'audit:access'],
      query: inOrganization.extend(paging(10, 1_000)),
      result: dataPage(FailedNotification),
    },
  },
})
