import { z } from 'zod'
import { writeReason } from './tag-change-contract.ts'

const ofOrganization = z.object({ org: z.string() })
const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })
const ofRequest = ofDevice.extend({ id: z.uuid() })

/** A wish to write a value that another person decides about; times in ms since 1970. */
const WriteRequest = z.object({
  id: z.string(),
  deviceId: z.string(),
  modelPath: z.string(),
  v: z.unknown(),
  /** Value of the path at the time of the request. */
  before: z.unknown(),
  reason: z.string().nullable(),
  by: z.string(),
  /** The caller requested it, and cannot approve it. */
  own: z.boolean(),
  at: z.number(),
  expiresAt: z.number(),
  state: z.enum(['waiting', 'approved', 'refused', 'expired']),
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),
  /** Result of the write, once approved. */
  result: z.enum(['sent', 'confirmed', 'no_answer']).nullable(),
})

/** Writing with the consent of a second person. */
export const writeRequestEndpoints = {
  /** `secondPerson` is what holds here; `from` is the organization that says so, here or above. */
  writePolicy: {
    method: 'GET',
    path: '/organizations/:org/writePolicy',
    access: 'devices:read',
    params: ofOrganization,
    result: z.object({ secondPerson: z.boolean(), from: z.string().nullable() }),
  },
  setWritePolicy: {
    method: 'PUT',
    path: '/organizations/:org/writePolicy',
    access: 'organizations:update',
    params: ofOrganization,
    body: z.object({ secondPerson: z.boolean() }),
    result: z.object({ secondPerson: z.boolean(), from: z.string().nullable() }),
  },
  /** The last requests of a device, newest first; those that wait are always among them. */
  writeRequests: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/writeRequests',
    access: 'devices:read',
    params: ofDevice,
    result: z.array(WriteRequest),
  },
  requestWrite: {
    method: 'POST',
    path: '/organizations/:org/devices/:deviceId/writeRequests',
    access: 'devices:update',
    params: ofDevice,
    body: z.object({
      modelPath: z.string().max(2_000),
      v: z.unknown(),
      reason: writeReason,
      /** Time that another person has to decide. */
      expiresInMs: z.int().min(60_000).max(604_800_000).default(86_400_000),
    }),
    result: WriteRequest,
    status: 201,
  },
  /** Writes the value; by another person than the one who requested it, with the right to write it. */
  approveWrite: {
    method: 'POST',
    path: '/organizations/:org/devices/:deviceId/writeRequests/:id/approve',
    access: 'devices:update',
    params: ofRequest,
    body: z.object({ timeoutMs: z.int().min(0).max(60_000).default(5_000) }),
    result: WriteRequest,
  },
  /** Also one's own, which takes it back. */
  refuseWrite: {
    method: 'POST',
    path: '/organizations/:org/devices/:deviceId/writeRequests/:id/refuse',
    access: 'devices:update',
    params: ofRequest,
    result: WriteRequest,
  },
} as const

export const writeRequestErrors = {
  /** The organization asks for a second person: ask with `requestWrite`. */
  second_person_needed: 409,
  /** It was requested by the same person, or by a program. */
  second_person_same: 403,
  /** It was approved or refused before, or its time is over. */
  write_request_over: 409,
  /** More wait on this device than may. */
  too_many_write_requests: 409,
} as const
