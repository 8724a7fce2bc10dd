import { type Endpoint, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'
import { MoveItem, Place } from './device-contract.ts'

/** Caller on whose behalf mappings does long work; their rights are looked up at each call. */
export const Asking = z.object({
  caller: z.object({
    kind: z.enum(['nobody', 'user', 'service', 'device']),
    sub: z.string(),
    username: z.string(),
    realm: z.string(),
    org: z.string().optional(),
    session: z.string().optional(),
    secondFactor: z.boolean().optional(),
    serviceAccount: z.boolean().optional(),
    impersonator: z.object({ sub: z.string(), username: z.string() }).optional(),
    apiKey: z.object({ id: z.int(), organization: z.string() }).optional(),
  }),
  /** resourceId of the organization that the work was asked for in. */
  organization: z.string().min(1).max(500),
  /** With all organizations below, by the rights that reach there. */
  subtree: z.boolean(),
  ip: z.string().max(100),
})

const token = z.string().trim().min(1).max(200)
const device = z.object({ device: z.string().min(1).max(100) })

/** Calls of mappings, for its lists and for what a person does to many devices. */
export const forMappingsEndpoints = {
  /** resourceIds of organizations below one by a part of their label or name, at most 500. */
  organizationsNamed: {
    method: 'GET',
    path: '/internal/organizations/named',
    access: 'service',
    query: z.object({ above: z.string().max(500), search: z.string().min(1).max(500) }),
    result: z.array(z.string()),
  },
  /** Is this a device group of the organization that is asked from? */
  groupSeen: {
    method: 'POST',
    path: '/internal/policies/:policy/seen',
    access: 'service',
    reads: true,
    params: z.object({ policy: rowIdText }),
    body: Asking,
    result: z.object({ found: z.boolean() }),
  },
  /** Put a device into a group, or take it out, with the rights of who asked. */
  changeGroupFor: {
    method: 'PUT',
    path: '/internal/policies/:policy/devices/:device',
    access: 'service',
    params: device.extend({ policy: rowIdText }),
    body: Asking.extend({ inside: z.boolean() }),
    result: z.undefined(),
  },
  /** Move a device with an import token, with the rights of who asked. */
  moveFor: {
    method: 'POST',
    path: '/internal/devices/:device/move',
    access: 'service',
    params: device,
    body: Asking.extend({
      organizationImportToken: token,
      /** Name of a run that uses the token once for each of many devices; nothing else can use it then. */
      work: z.string().min(1).max(100),
      notes: z.boolean().default(false),
    }),
    result: z.undefined(),
  },
  /** Organization of an import token, and the effects of a move of these devices there. */
  moveCheckFor: {
    method: 'POST',
    path: '/internal/devices/move-check',
    access: 'service',
    reads: true,
    body: Asking.extend({ organizationImportToken: token, devices: z.array(z.string()) }),
    result: z.object({ to: Place, items: z.array(MoveItem) }),
  },
} as const satisfies Record<string, Endpoint>
