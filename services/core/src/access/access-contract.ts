import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const resourceId = z.string().min(1).max(500)

const Capability = z.object({
  grants: z.record(z.string(), z.int()),
  deviceGroups: z.array(z.object({ mask: z.int(), groups: z.array(z.int()) })),
  policies: z.array(z.int()).optional(),
})

/** What the server keeps of a caller's rights in one organization; `Admission` of packages/authorization. */
const Admission = z.object({
  organization: z.object({
    id: z.int(),
    resourceId,
    name: z.string(),
    label: z.string(),
    realm: z.string(),
    dataEnabled: z.boolean(),
    vpnEnabled: z.boolean(),
  }),
  capability: Capability,
  below: z.boolean(),
  capabilityBelow: Capability.optional(),
})

const Owner = z.object({ sub: z.string(), username: z.string(), realm: z.string() })

export const accessEndpoints = {
  /** For the server's authorizer: may this caller into the organization (number or resourceId; absent: the only one), and what may they do there? 404 when not. */
  admission: {
    method: 'GET',
    path: '/internal/admission',
    access: 'service',
    query: z.object({ sub: z.string(), organization: z.string().optional() }),
    result: Admission,
  },
  /** For identity: the organizations a person may ask a scope for. */
  memberships: {
    method: 'GET',
    path: '/internal/memberships',
    access: 'service',
    query: z.object({ sub: z.string() }),
    result: z.array(z.object({ id: z.int(), resourceId, name: z.string() })),
  },
  /** For identity: what to write into a token or ticket for one organization; scopes as `iam.devices.read`. Empty when not a member. */
  ticketPermissions: {
    method: 'GET',
    path: '/internal/ticket-permissions',
    access: 'service',
    query: z.object({ sub: z.string(), organization: resourceId }),
    result: z.array(
      z.object({ rsid: z.string(), rsname: resourceId, scopes: z.array(z.string()) }),
    ),
  },
  /** For `reset-admin`: the people who administer a root organization. */
  owners: { method: 'GET', path: '/internal/owners', access: 'service', result: z.array(Owner) },
} as const satisfies Record<string, Endpoint>
