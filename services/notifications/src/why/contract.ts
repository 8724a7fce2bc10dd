import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'
import { MessageKind } from '../message-contract.ts'

/** Step of the way of an alarm to a person, with what was seen there. */
const Step = z.object({
  gate: z.string(),
  state: z.enum(['passed', 'stopped', 'waits']),
  saw: z.string(),
  /** The same as single values, for a sentence: `severity`, `minimum`, `at` (ms), `count`, `channel`, `answer` … */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Step = z.output<typeof Step>

const RuleWay = z.object({
  notificationId: z.uuid(),
  name: z.string(),
  /** Time of the change of the alarm; of its begin where no decision was made. */
  at: ms,
  /** Change of the alarm, such as `raised`. */
  kind: z.string(),
  steps: z.array(Step),
  /** The person got a message over at least one channel. */
  isTold: z.boolean(),
})

const alarm = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'must be the id of an alarm')

const Explained = z.object({
  /** User name of the person, or the name of the channel or the address outside. */
  user: z.string(),
  alarm: z.object({ id: z.string(), device: z.string(), name: z.string(), severity: z.int() }),
  rules: z.array(RuleWay),
})

export const whyContract = definePartContract({
  endpoints: {
    /** Reasons for which a person was told of an alarm, or was not, by each rule that the caller may see. */
    why: {
      method: 'GET',
      path: '/why',
      access: 'notifications:read',
      query: inOrganization.extend({
        alarm,
        /** User name or subject; the caller without it. */
        user: z.string().max(255).optional(),
      }),
      result: Explained,
    },
    /** The same for the recipient of a delivery and the first alarm of its message that the caller may see. */
    whyDelivery: {
      method: 'GET',
      path: '/deliveries/:id/why',
      access: 'notifications:read',
      params: byId,
      query: inOrganization,
      result: Explained,
    },
    /** Deliveries of messages about an alarm, the newest first. */
    told: {
      method: 'GET',
      path: '/told',
      access: 'notifications:read',
      query: inOrganization.extend({ alarm }),
      result: z.object({
        data: z.array(
          z.object({
            deliveryId: z.uuid(),
            kind: MessageKind,
            recipient: z.string(),
            channel: z.string(),
            state: z.enum(['WAITING', 'SENDING', 'SENT', 'FAILED', 'DROPPED']),
            gate: z.string(),
            at: ms,
          }),
        ),
        /** There are more than these. */
        isMore: z.boolean(),
      }),
    },
  },
})
