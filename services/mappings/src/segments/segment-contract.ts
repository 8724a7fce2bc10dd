import type { Endpoint } from '@longreach/kit/contract'
import { flag } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization } from '../asked-contract.ts'
import { DeviceQuestion } from '../search/search-contract.ts'

/** A saved view on the devices: a question that is asked anew each time, or devices that were picked. */
export const Segment = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['dynamic', 'picked']),
  /** Others see it too. */
  shared: z.boolean(),
  /** The caller made it. */
  own: z.boolean(),
  ownerName: z.string(),
  /** The caller may change and delete it. */
  mayChange: z.boolean(),
  question: DeviceQuestion,
  /** Devices in it that the caller sees, where counts were asked for. */
  count: z.int().optional(),
  orgResourceId: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type Segment = z.output<typeof Segment>

const name = z.string().trim().min(1).max(100)
const id = z.object({ id: z.string() })
const deviceIds = z.array(z.string().max(100)).max(10_000)
/** A segment does not build on another one. */
const question = DeviceQuestion.omit({ segment: true })

export const segmentEndpoints = {
  /** The segments of the organization that the caller made or that are shared, by name. */
  segments: {
    method: 'GET',
    path: '/segments',
    access: 'devices:read',
    query: inOrganization.extend({ counts: flag.default(false) }),
    result: z.object({ data: z.array(Segment) }),
  },
  createSegment: {
    method: 'POST',
    path: '/segments',
    access: 'devices:read',
    query: inOrganization,
    body: z.object({
      name,
      shared: z.boolean().default(false),
      content: z.union([z.strictObject({ question }), z.strictObject({ deviceIds })]),
    }),
    result: Segment,
    status: 201,
  },
  updateSegment: {
    method: 'PATCH',
    path: '/segments/:id',
    access: 'devices:read',
    params: id,
    query: inOrganization,
    body: z.object({
      name: name.optional(),
      shared: z.boolean().optional(),
      question: question.optional(),
    }),
    result: Segment,
  },
  /** Put devices into a picked segment and take others out. */
  changeSegmentDevices: {
    method: 'PUT',
    path: '/segments/:id/devices',
    access: 'devices:read',
    params: id,
    query: inOrganization,
    body: z.object({ add: deviceIds.default([]), remove: deviceIds.default([]) }),
    result: Segment,
  },
  deleteSegment: {
    method: 'DELETE',
    path: '/segments/:id',
    access: 'devices:read',
    params: id,
    query: inOrganization,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
