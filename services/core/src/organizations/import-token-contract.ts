import { type Endpoint, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'

/** Without an organization in the path the session's is meant. */
const org = z.object({ org: z.string().optional() })

/** Validity of an import token; callers who may use it also learn the organization that it belongs to. */
const ImportTokenCheck = z.object({
  verifyOutDTO: z.object({
    isValid: z.boolean(),
    expirationDate: timestamp.nullable(),
    errorMessage: z.string().nullable(),
    organizationId: z.int().nullable(),
  }),
  orgResourceId: z.string().nullable(),
  organizationName: z.string().nullable(),
})
type ImportTokenCheck = z.output<typeof ImportTokenCheck>

export const importTokenEndpoints = {
  /** A token to move one device, or many in one run, into this organization; valid for 24 hours. */
  createImportToken: {
    method: 'POST',
    path: '/organizations/:org/importToken',
    also: ['/organizations/importToken'],
    access: 'devices:create',
    params: org,
    result: z.object({ token: z.string(), expirationDate: timestamp }),
    status: 201,
  },
  /** Tokens that were made and not used yet; the tokens themselves are not kept. */
  importTokens: {
    method: 'GET',
    path: '/organizations/:org/importTokens',
    access: 'devices:create',
    params: org,
    result: z.array(
      z.object({ createdBy: z.string(), createdAt: timestamp, expirationDate: timestamp }),
    ),
  },
  importToken: {
    method: 'GET',
    path: '/organizations/:org/importToken/:token',
    also: ['/organizations/importToken/:token'],
    access: 'devices:update',
    params: org.extend({ token: z.string().min(1).max(200) }),
    result: ImportTokenCheck,
  },
} as const satisfies Record<string, Endpoint>
