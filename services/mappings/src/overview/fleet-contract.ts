import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization } from '../asked-contract.ts'

const counts = {
  total: z.int(),
  online: z.int(),
  offline: z.int(),
  /** Devices that never connected. */
  never: z.int(),
  withoutPreset: z.int(),
  configurationPending: z.int(),
  configurationFailed: z.int(),
}
const FleetCounts = z.object(counts)
export type FleetCounts = z.output<typeof FleetCounts>

const Fleet = z.object({
  counts: FleetCounts,
  /** By organization, those with most devices offline first; at most 50. */
  organizations: z.array(z.object({ orgResourceId: z.string(), ...counts })),
  /** Organizations with devices, also those beyond the 50. */
  organizationCount: z.int(),
  /** Devices that refused their configuration, in the order of their names; at most 10. */
  failed: z.array(
    z.object({
      deviceId: z.string(),
      label: z.string(),
      orgResourceId: z.string(),
      error: z.string(),
    }),
  ),
})

/** The state of all devices at a glance, for the overview page. */
export const fleetEndpoints = {
  fleet: {
    method: 'GET',
    path: '/devices/overview',
    access: 'devices:read',
    query: inOrganization,
    result: Fleet,
  },
} as const satisfies Record<string, Endpoint>
