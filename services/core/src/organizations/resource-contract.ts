import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const Amounts = z.object({
  people: z.int(),
  devices: z.int(),
  /** Those below it, without itself. */
  organizations: z.int(),
  keys: z.int(),
})

/** Resources used by an organization and by those below it. */
const Resources = z.object({
  /** The organization alone. */
  own: Amounts,
  /** With everything below; somebody in two organizations counts twice. */
  total: Amounts,
  /** Each organization directly below with everything below it, the largest first. */
  below: z.array(Amounts.extend({ id: z.int(), resourceId: z.string(), label: z.string() })),
})
type Resources = z.output<typeof Resources>

export const resourceEndpoints = {
  resources: {
    method: 'GET',
    path: '/organizations/:org/resources',
    access: 'organizations:read',
    params: z.object({ org: z.string() }),
    result: Resources,
  },
} as const satisfies Record<string, Endpoint>
