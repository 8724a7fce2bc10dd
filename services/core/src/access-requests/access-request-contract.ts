import { type Endpoint, timestamp, rowId, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

/** Somebody who asks to be let into an organization. */
const AccessRequest = z.object({
  id: z.int(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  note: z.string(),
  /** In the organization already, without enough rights. */
  member: z.boolean(),
  createdAt: timestamp,
})
type AccessRequest = z.output<typeof AccessRequest>

const org = z.object({ org: z.string() })
const one = z.object({
  org: z.string(),
  request: rowIdText,
})
const ids = z.array(rowId).max(1000).default([])

export const accessRequestEndpoints = {
  /**
   * Ask the administrators of an organization (by resourceId) to be let in. Answered alike whether or
   * not there is such an organization, so that nobody learns of one by asking.
   */
  requestAccess: {
    method: 'POST',
    path: '/accessRequests',
    access: 'signed-in',
    inPerson: true,
    body: z.object({
      organization: z.string().trim().min(1).max(500),
      note: z.string().trim().max(500).default(''),
    }),
    result: z.undefined(),
  },
  /** Open requests for access, oldest first; the first hundred. */
  accessRequests: {
    method: 'GET',
    path: '/organizations/:org/accessRequests',
    access: 'users:create',
    params: org,
    result: z.object({ content: z.array(AccessRequest), total: z.int() }),
  },
  /** Let a person in, into groups and with roles that the caller may hand out: one at least. */
  acceptAccessRequest: {
    method: 'POST',
    path: '/organizations/:org/accessRequests/:request/accept',
    access: 'users:create',
    params: one,
    body: z.object({ memberOf: ids, rolesId: ids }),
    result: z.undefined(),
  },
  declineAccessRequest: {
    method: 'POST',
    path: '/organizations/:org/accessRequests/:request/decline',
    access: 'users:create',
    params: one,
    body: z.object({}),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
