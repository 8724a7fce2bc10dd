import { dataPage, type Endpoint, flag, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import { time } from '../times/time-contract.ts'

const ofOrganization = z.object({ org: z.string() })
const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })

const DeviceEntry = z.object({
  id: z.string(),
  connected: z.boolean(),
  aliases: z.record(z.string(), z.string()),
  attributes: z.record(z.string(), z.unknown()),
})

export const deviceEndpoints = {
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
} as const satisfies Record<string, Endpoint>
