import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { alarmId, deviceId, inOrganization, ms } from '../asked-contract.ts'
import { listFilters } from '../search/list-contract.ts'

const comment = z.string().max(2_000).optional()
const ids = z.array(alarmId).min(1).max(1_000)

/** Alarms of an action: one by `id` or `alarmId`, or up to 1,000 by `ids`. */
const Chosen = z.object({
  id: alarmId.optional(),
  alarmId: alarmId.optional(),
  ids: ids.optional(),
  comment,
})

/**
 * All open alarms of the call's organizations, or those of `ids`, of the expression `data` and of `filter`,
 * each of which limits them.
 */
export const AllAlarms = z.object({
  comment,
  applyOnlyToVisibleValue: z.boolean().default(false),
  ids: ids.optional(),
  data: z.string().max(10_000).optional(),
  /** Those that the list of open alarms shows with these filters, without what is suppressed or shelved. */
  filter: z
    .object({
      ...listFilters,
      /** Without alarms of which the server heard later, in ms since 1970. */
      heardUntil: ms.optional(),
    })
    .optional(),
})

export const skipReasons = [
  'closed',
  'ack_first',
  'still_active',
  'already',
  'not_found',
  'not_allowed',
] as const

/** Alarms that the action changed, and those that it left, with the reason. */
const Acted = z.object({
  done: z.array(alarmId),
  skipped: z.array(z.object({ id: alarmId, reason: z.enum(skipReasons) })),
})
/** An action on more than 1,000 alarms continues as a job. */
const ActedOnAll = Acted.extend({ jobId: z.string().nullable(), total: z.int() })

const action = (name: 'ack' | 'reset' | 'clear') =>
  ({
    method: 'POST',
    path: `/action/${name}`,
    access: `alarms:${name}`,
    query: inOrganization,
    body: Chosen,
    result: Acted,
    audit: 'own',
  }) as const
const actionOnAll = (name: 'ack' | 'reset' | 'clear') =>
  ({
    method: 'POST',
    path: `/action/${name}All`,
    access: `alarms:${name}`,
    query: inOrganization,
    body: AllAlarms,
    result: ActedOnAll,
    audit: 'own',
  }) as const

const alarm = z.object({ id: alarmId })

/** Command to a device: acknowledge or reset one of its alarms. */
export const Command = z.object({
  id: z.uuid(),
  deviceId,
  name: z.string(),
  command: z.enum(['ack', 'reset']),
  /** Start of the occurrence, by which the device knows it. */
  startedAt: ms,
  user: z.string(),
  comment: z.string(),
  /** Connection in which the device had last reported the alarm, as in the reports. */
  certificate: z.string(),
})
export type Command = z.output<typeof Command>

export const actionsContract = definePartContract({
  errors: {
    still_active: 409,
    ack_first: 409,
    already: 409,
    closed: 409,
    /** Nobody of this name may read the device. */
    assignee_unknown: 422,
  },
  endpoints: {
    acknowledge: action('ack'),
    reset: action('reset'),
    clear: action('clear'),
    acknowledgeAll: actionOnAll('ack'),
    resetAll: actionOnAll('reset'),
    clearAll: actionOnAll('clear'),
    comment: {
      method: 'POST',
      path: '/:id/comments',
      access: 'alarms:ack',
      params: alarm,
      query: inOrganization,
      body: z.object({ comment: z.string().trim().min(1).max(2_000) }),
      result: z.undefined(),
    },
    /** Person who takes care of it, by user name; null for nobody. */
    assign: {
      method: 'PUT',
      path: '/:id/assignee',
      access: 'alarms:ack',
      params: alarm,
      query: inOrganization,
      body: z.object({ assignee: z.string().max(500).nullable() }),
      result: z.undefined(),
    },
    /** Commands that wait for a device; each is answered as sent before it is sent, and so at most once. */
    takeCommands: {
      method: 'POST',
      path: '/internal/devices/:deviceId/commands',
      access: 'service',
      params: z.object({ deviceId }),
      body: z.object({
        /** The present connection, as in the reports: commands about alarms of this connection are answered. */
        certificate: z.string(),
        /** Time in ms since the device asked for its configuration in this connection. */
        connectedMs: z.number().min(0).default(0),
      }),
      /** `askAgainMs` after this, commands still waited for the device to repeat its alarms. */
      result: z.object({ commands: z.array(Command), askAgainMs: z.number().optional() }),
    },
  },
})
