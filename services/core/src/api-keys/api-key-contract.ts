import { actions, type Permission, resources } from '@longreach/authorization/permissions'
import { contentPage, type Endpoint, paging, timestamp, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

const known = new Set(
  resources.flatMap((resource) => actions.map((action) => `${resource}:${action}`)),
)
/** One right as the permission table names it: `devices:read`. */
const KeyPermission = z.custom<Permission>(
  (value) => typeof value === 'string' && known.has(value),
  'must be a permission such as devices:read',
)

const longestValidityDays = 365
const usualValidityDays = 90

export const ApiKey = z.object({
  id: z.int(),
  orgResourceId: z.string(),
  userId: z.int(),
  username: z.string(),
  serviceAccount: z.boolean(),
  /** The whole key in the answer that makes it; later only its beginning, which is no secret. */
  key: z.string(),
  label: z.string(),
  permissions: z.array(KeyPermission),
  /** Addresses and networks that the key may be used from; none: any. */
  addresses: z.array(z.string()),
  createdAt: timestamp,
  createdBy: z.string(),
  expiresAt: timestamp,
  expired: z.boolean(),
  lastUsedAt: timestamp.nullable(),
  lastUsedIp: z.string().nullable(),
})
export type ApiKey = z.output<typeof ApiKey>

const label = z.string().trim().min(1).max(100)
const validForDays = z.int().min(1).max(longestValidityDays).default(usualValidityDays)
const addresses = z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).max(50)

const NewApiKey = z.object({
  /** Owner, whose rights the key uses; the caller when absent. */
  username: z.string().max(255).optional(),
  label: label.default('API key'),
  /** Permissions of the key; absent: all of the owner's but changing organizations and reading the audit trail. */
  permissions: z.array(KeyPermission).min(1).max(known.size).optional(),
  validForDays,
  addresses: addresses.default([]),
})
type NewApiKey = z.output<typeof NewApiKey>

const org = z.object({ org: z.string() })
const inOrg = org.extend({
  apiKey: rowIdText,
})

export const apiKeyEndpoints = {
  /** The caller's own keys; with users:read those of everybody in the organization. */
  apiKeys: {
    method: 'GET',
    path: '/organizations/:org/apiKeys',
    access: 'member',
    params: org,
    query: z.object({ ...paging(), username: z.string().max(255).optional() }),
    result: contentPage(ApiKey),
  },
  createApiKey: {
    method: 'POST',
    path: '/organizations/:org/apiKeys',
    access: 'member',
    inPerson: true,
    params: org,
    body: NewApiKey.nullish(),
    result: ApiKey,
    status: 201,
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/organizations/:org/apiKeys/:apiKey',
    access: 'member',
    inPerson: true,
    params: inOrg,
    result: z.undefined(),
  },
  /** A second key like this one, which itself ends after a while, so that programs can change over. */
  rotateApiKey: {
    method: 'POST',
    path: '/organizations/:org/apiKeys/:apiKey/rotate',
    access: 'member',
    inPerson: true,
    params: inOrg,
    body: z.object({
      /** Time in hours in which the old key may still be used. */
      overlapHours: z.int().min(0).max(720).default(24),
      validForDays,
    }),
    result: ApiKey,
    status: 201,
  },
  /** Rights that a key of the caller, or of `username`, can have here. */
  apiKeyPermissions: {
    method: 'GET',
    path: '/organizations/:org/apiKeys/permissions',
    access: 'member',
    params: org,
    query: z.object({ username: z.string().max(255).optional() }),
    result: z.array(KeyPermission),
  },
  /** For the server: whose key this is; 404 when it is no good. */
  resolveApiKey: {
    method: 'POST',
    path: '/internal/api-keys/resolve',
    access: 'service',
    body: z.object({ key: z.string().max(200), ip: z.string().max(100).optional() }),
    result: z.object({
      id: z.int(),
      organization: z.string(),
      sub: z.string(),
      username: z.string(),
      realm: z.string(),
      serviceAccount: z.boolean(),
      addresses: z.array(z.string()),
      expiresAt: timestamp,
    }),
    reads: true,
  },
} as const satisfies Record<string, Endpoint>
