import { type Endpoint, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { OrganizationChange } from './organization-contract.ts'

/** Effects of a change of an organization on people, devices, keys and other organizations. */
const Effect = z.enum([
  /** People lose rights on models, dashboards, notifications and alarms. */
  'people_lose_iot',
  'people_lose_vpn',
  /** Devices whose values nobody here sees any more. */
  'devices_hidden',
  /** Organizations below have it turned off with this one. */
  'organizations_lose',
  /** The host name leads here no longer. */
  'hostname_lost',
  /** People from organizations above can no longer enter. */
  'people_shut_out',
  /** People from organizations above can enter again. */
  'people_let_in',
  /** People who from now on must come from an allowed address. */
  'people_by_address',
  'keys_by_address',
  /** People who have no second factor yet and must set one up. */
  'people_without_factor',
  /** The caller is among those who can no longer enter. */
  'locks_you_out',
])

export const Consequence = z.object({
  /** The field of the change that causes it. */
  field: z.string(),
  effect: Effect,
  count: z.int(),
  /** Some of them by name. */
  names: z.array(z.string()),
})
export type Consequence = z.output<typeof Consequence>

export const consequenceEndpoints = {
  /** Effects of a change, in numbers; nothing is changed. */
  consequences: {
    method: 'POST',
    path: '/organizations/:org/consequences',
    access: 'organizations:update',
    params: z.object({ org: z.string() }),
    body: OrganizationChange,
    result: z.array(Consequence),
    reads: true,
  },
  /** Organizations whose rules of access apply here. */
  accessRules: {
    method: 'GET',
    path: '/organizations/:org/accessRules',
    access: 'organizations:read',
    params: z.object({ org: z.string() }),
    result: z.object({
      allowedAddresses: z.array(z.string()),
      /** resourceId of the organization that says so; null when none does. */
      allowedAddressesFrom: z.string().nullable(),
      secondFactorRequired: z.boolean(),
      secondFactorFrom: z.string().nullable(),
      privateFrom: z.string().nullable(),
    }),
  },
  /** Members who have no second factor. */
  peopleWithoutFactor: {
    method: 'GET',
    path: '/organizations/:org/peopleWithoutFactor',
    access: 'users:read',
    params: z.object({ org: z.string() }),
    result: z.object({
      total: z.int(),
      people: z.array(z.object({ id: z.int(), username: z.string(), email: z.string() })),
    }),
  },
  /** The organization above lifts the private access of one below it, where that allows it. */
  liftPrivateAccess: {
    method: 'DELETE',
    path: '/organizations/:org/privateAccess/:child',
    access: 'organizations:update',
    params: z.object({
      org: z.string(),
      child: rowIdText,
    }),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
