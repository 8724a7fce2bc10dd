import { organizationsContract } from '@longreach/identity/organizations-contract'
import { type Endpoint, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

const { memberships, ticketPermissions, realmHosts } = organizationsContract.endpoints
const resourceId = z.string().min(1).max(500)

const Capability = z.object({
  grants: z.record(z.string(), z.int()),
  deviceGroups: z.array(z.object({ mask: z.int(), groups: z.array(z.int()) })),
  paths: z
    .array(
      z.object({
        groups: z.array(z.int()).nullable(),
        mask: z.int(),
        read: z.array(z.string()),
        history: z.array(z.string()),
        write: z.array(z.string()),
      }),
    )
    .optional(),
  vpnNames: z.array(z.object({ mask: z.int(), names: z.array(z.string()) })).optional(),
  policies: z.array(z.int()).optional(),
})

/** Rights of a caller in one organization, as the server caches them; `Admission` of packages/authorization. */
const Admission = z.object({
  organization: z.object({
    id: z.int(),
    resourceId,
    name: z.string(),
    label: z.string(),
    realm: z.string(),
    dataEnabled: z.boolean(),
    vpnEnabled: z.boolean(),
    allowedAddresses: z.array(z.string()).readonly().optional(),
    secondFactorRequired: z.boolean().optional(),
  }),
  capability: Capability,
  below: z.boolean(),
  capabilityBelow: Capability.optional(),
  closed: z.array(resourceId).readonly().optional(),
})

const Owner = z.object({ sub: z.string(), username: z.string(), realm: z.string() })

export const admissionEndpoints = {
  /** For the server's authorizer: may this caller into the organization (number or resourceId; absent: the only one), and what may they do there? 404 when not. */
  admission: {
    method: 'GET',
    path: '/internal/admission',
    access: 'service',
    query: z.object({
      sub: z.string(),
      /** The realm that the caller signed in to; nobody of another one is let in. */
      realm: z.string().optional(),
      organization: z.string().optional(),
      /** The API key that the caller uses, by its id: no right beyond it. */
      apiKey: rowIdText.optional(),
    }),
    result: Admission,
  },
  memberships,
  ticketPermissions,
  realmHosts,
  /** Root organizations and the people who administer them. */
  roots: {
    method: 'GET',
    path: '/internal/roots',
    access: 'service',
    result: z.object({
      /** resourceId of the root that the installation was set up with; null before the first run. */
      first: z.string().nullable(),
      owners: z.array(Owner),
    }),
  },
} as const satisfies Record<string, Endpoint>
