import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { languages, ms } from '../asked-contract.ts'

const template = z.string().max(20_000)

/** Message that another service has decided on: where it goes, and the templates of its texts. */
export const Outgoing = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('mail'),
    to: z.array(z.string().max(300)).max(100),
    subject: z.string().max(1_000),
    template,
  }),
  z.object({
    kind: z.literal('webhook'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: z.string().max(2_000),
    headers: z.record(z.string(), z.string()),
    template,
  }),
  z.object({ kind: z.literal('telegram'), token: z.string(), chatId: z.string(), template }),
  z.object({ kind: z.literal('teams'), endpoint: z.string(), template }),
])
export type Outgoing = z.output<typeof Outgoing>

const scalar = z.union([z.number(), z.string(), z.boolean(), z.null()])

/** Facts of a run of a trigger, by the names that templates have for them. */
export const RunFacts = z.object({
  run: z.uuid(),
  trigger: z.string(),
  triggerId: z.uuid(),
  device: z.string(),
  deviceId: z.string(),
  organization: z.string(),
  /** Path that fired and its value; empty and null where none did. */
  path: z.string(),
  value: scalar,
  timeMs: ms,
  inputs: z.array(z.object({ path: z.string(), value: scalar })).max(50),
})
export type RunFacts = z.output<typeof RunFacts>

/** Fault of a message: the field, a code of this service, and what to do. */
const Fault = z.object({ field: z.string(), code: z.string(), message: z.string() })

export const outgoingContract = definePartContract({
  endpoints: {
    /** Faults of a message that is to be kept: addresses that may not be called, and templates. */
    checkOutgoing: {
      method: 'POST',
      path: '/internal/outgoing/check',
      reads: true,
      access: 'service',
      body: z.object({ outgoing: z.array(Outgoing).max(50) }),
      /** By the place in the question. */
      result: z.object({ faults: z.array(z.array(Fault)), hasMail: z.boolean() }),
    },
    /** Takes a message into the outbox, once for each id; the event `outgoingEnded` tells the end of each delivery. */
    sendOutgoing: {
      method: 'POST',
      path: '/internal/outgoing',
      access: 'service',
      body: z.object({
        id: z.uuid(),
        organization: z.string(),
        realm: z.string(),
        /** Place of the device, by which readers of the list of deliveries are limited. */
        deviceOrg: z.string(),
        deviceGroups: z.array(z.int()),
        language: z.enum(languages),
        zone: z.string(),
        facts: RunFacts,
        outgoing: Outgoing,
      }),
      /** Rendered request for the trace, without secrets. */
      result: z.object({
        deliveries: z.array(z.object({ id: z.uuid(), isOver: z.boolean() })),
        request: z.string(),
      }),
    },
    /** Tells a person that a trigger of theirs does not run any more, in the inbox and by mail. */
    tellTriggerStopped: {
      method: 'POST',
      path: '/internal/outgoing/stopped',
      access: 'service',
      body: z.object({
        id: z.uuid(),
        organization: z.string(),
        sub: z.string(),
        trigger: z.string(),
        code: z.enum(['too_deep', 'repeated', 'too_many_runs', 'right_lost', 'owner_gone']),
        /** Triggers and paths of a loop: `A → Oven:1/speed → B`. */
        chain: z.string().max(5_000),
      }),
      result: z.undefined(),
    },
  },
  events: {
    /** A delivery of such a message has ended. */
    outgoingEnded: {
      topic: 'notifications.outgoing_ended',
      payload: z.object({
        messageId: z.uuid(),
        deliveryId: z.uuid(),
        isSent: z.boolean(),
        answer: z.string(),
        ms: z.int().nullable(),
      }),
    },
  },
})
