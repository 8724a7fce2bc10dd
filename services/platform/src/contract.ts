import { dataPage, defineContract, flag, paging } from '@longreach/kit/contract'
import { deviceStateEvents } from '@longreach/mappings/device-state-contract'
import { jobEndpoints } from '@longreach/kit/job-contract'
import { z } from 'zod'
import { agentEndpoints, agentErrors } from './agents/agent-contract.ts'
import { exportEndpoints, exportErrors } from './exports/export-contract.ts'
import { formulaEndpoints } from './formulas/formula-contract.ts'
import { time } from './times/time-contract.ts'
import { tagEndpoints } from './values/tag-calls-contract.ts'
import { pairingEndpoints, pairingErrors, pairingEvents } from './pairing/pairing-contract.ts'
import { overviewEndpoints } from './overview/overview-contract.ts'
import { rehearsalEndpoints } from './rehearsal/rehearsal-contract.ts'
import { deviceActivityEndpoints } from './devices/device-activity-contract.ts'
import { deviceFactsEndpoints } from './devices/device-facts-contract.ts'
import { pastConnectionEndpoints } from './devices/past-connection-contract.ts'
import { Refusal } from './devices/refusal-contract.ts'
import { storageEndpoints, storageErrors } from './storage/storage-contract.ts'
import { timeLineEndpoints, timeLineErrors } from './time-line/time-line-contract.ts'
import { valueSearchEndpoints } from './queries/value-search-contract.ts'
import { writeRequestEndpoints, writeRequestErrors } from './writes/write-request-contract.ts'
import { viewEndpoints, viewErrors } from './views/view-contract.ts'

const ofOrganization = z.object({ org: z.string() })
const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

const ConsoleFrame = z.object({
  at: z.number(),
  direction: z.enum(['received', 'sent']),
  topic: z.string(),
  bytes: z.int(),
  head: z.string(),
  ok: z.boolean(),
  path: z.string().optional(),
  value: z.unknown().optional(),
  t: z.number().optional(),
  reason: z.string().optional(),
  refusal: Refusal.optional(),
})

const DeviceEntry = z.object({
  id: z.string(),
  connected: z.boolean(),
  aliases: z.record(z.string(), z.string()),
  attributes: z.record(z.string(), z.unknown()),
})

export const platformContract = defineContract({
  service: 'platform',
  base: '/svc/platform/api/v1',
  errors: {
    ...pairingErrors,
    ...agentErrors,
    ...timeLineErrors,
    ...storageErrors,
    ...viewErrors,
    ...exportErrors,
    ...writeRequestErrors,
    not_found: 404,
    bad_query: 400,
    /** More than one answer can hold; the message says what to ask for instead. */
    too_large: 422,
    no_such_path: 422,
    not_writable: 422,
    /** The caller's roles give other model paths of this device. */
    path_not_allowed: 403,
    bad_value: 422,
    device_offline: 409,
    /** The device did not answer in time. */
    timeout: 503,
    /** The time that the question itself allows is over. */
    query_timeout: 422,
    storage_unavailable: 503,
  },
  endpoints: {
    ...jobEndpoints,
    ...pairingEndpoints,
    ...formulaEndpoints,
    ...agentEndpoints,
    ...timeLineEndpoints,
    ...storageEndpoints,
    ...deviceActivityEndpoints,
    ...deviceFactsEndpoints,
    ...pastConnectionEndpoints,
    ...rehearsalEndpoints,
    ...valueSearchEndpoints,
    ...viewEndpoints,
    ...exportEndpoints,
    ...tagEndpoints,
    ...writeRequestEndpoints,
    ...overviewEndpoints,
    /** The device's last frames; they are kept from the first call until a minute after the last. */
    console: {
      method: 'GET',
      path: '/organizations/:org/devices/:deviceId/console',
      access: 'devices:update',
      params: ofDevice,
      result: z.array(ConsoleFrame),
    },
    availableTags: {
      method: 'GET',
      path: '/organizations/:org/devices/:deviceId/availableTags',
      access: 'devices:read',
      params: ofDevice,
      result: z.array(z.looseObject({ name: z.string(), type: z.string() })),
    },
    configuration: {
      method: 'GET',
      path: '/organizations/:org/devices/:deviceId/configuration',
      access: 'devices:read',
      params: ofDevice,
      result: z.object({
        configurationJson: z.unknown(),
        configurationFromDevice: z.unknown(),
        sentAt: z.number().nullable(),
        applied: z.boolean(),
        error: z.string().nullable(),
      }),
    },
    status: {
      method: 'GET',
      path: '/organizations/:org/devices/:deviceId/status',
      access: 'devices:read',
      params: ofDevice,
      query: z.object({
        since: time.optional(),
        to: time.optional(),
        limit: z.coerce.number<number>().int().min(1).max(100_000).default(1_000),
      }),
      result: z.array(
        z.object({
          deviceId: z.string(),
          header: z.array(z.string()),
          data: z.array(z.array(z.unknown())),
        }),
      ),
    },
    /** Send the configuration once more. */
    syncStatus: {
      method: 'POST',
      path: '/organizations/:org/devices/:deviceId/status/sync',
      access: 'devices:update',
      params: ofDevice,
      result: z.object({ connected: z.boolean() }),
    },
    /** The same for clients that ask with GET; it changes nothing that a repetition would double. */
    syncStatusByGet: {
      method: 'GET',
      path: '/organizations/:org/devices/:deviceId/status/sync',
      access: 'devices:update',
      params: ofDevice,
      result: z.object({ connected: z.boolean() }),
    },
    devices: {
      method: 'GET',
      path: '/organizations/:org/devices',
      access: 'devices:read',
      params: ofOrganization,
      query: z.object({ details: flag.default(false), ...paging(100) }),
      result: dataPage(z.union([DeviceEntry, z.string()])).extend({
        links: z.object({ self: z.string(), next: z.string().nullable() }),
      }),
    },
    deviceByAlias: {
      method: 'GET',
      path: '/organizations/:org/deviceByAlias',
      access: 'devices:read',
      params: ofOrganization,
      query: z.object({ alias: z.string().max(500) }),
      result: z.object({
        id: z.string(),
        aliases: z.record(z.string(), z.string()),
        introspection: z.record(z.string(), z.object({ major: z.int(), minor: z.int() })),
        connected: z.boolean(),
        last_connection: z.string().nullable(),
        last_disconnection: z.string().nullable(),
        first_registration: z.string().nullable(),
        first_credentials_request: z.string().nullable(),
        last_seen_ip: z.string().nullable(),
        last_credentials_request_ip: z.string().nullable(),
        total_received_bytes: z.number(),
        total_received_msgs: z.number(),
      }),
    },
  },
  events: {
    ...pairingEvents,
    ...deviceStateEvents,
  },
})
