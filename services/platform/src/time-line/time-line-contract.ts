import { list } from '@longreach/kit/contract'
import { z } from 'zod'
import { time } from '../times/time-contract.ts'

const ofDevice = z.object({ org: z.string(), deviceId: z.string().max(100) })
const ofComment = ofDevice.extend({ id: z.uuid() })

/** Something that happened to a device; times in ms since 1970. */
const MomentShown = z.object({
  id: z.string(),
  at: z.number(),
  until: z.number().nullable(),
  /** `comment`, `connection`, `configuration`, `preset`, `write`, `moved` … */
  kind: z.string(),
  by: z.string().nullable(),
  /** A comment that the caller wrote. */
  own: z.boolean(),
  modelPath: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})

/** Comment of a person on a device at a time, or for a stretch of time. */
const Comment = z.object({
  id: z.string(),
  deviceId: z.string(),
  at: z.number(),
  until: z.number().nullable(),
  text: z.string(),
  modelPath: z.string().nullable(),
  by: z.string(),
  /** The caller wrote it. */
  own: z.boolean(),
  madeAt: z.number(),
  editedAt: z.number().nullable(),
})

/** The value that a comment is about; null: the device as a whole. */
const modelPath = z.string().max(2_000).nullable()
const text = z.string().trim().min(1).max(4_000)
const range = { since: time.optional(), to: time.optional() }
const few = (usual: number) => z.coerce.number<number>().int().min(1).max(1_000).default(usual)

/** The time-line of a device, and the comments that people put on it. */
export const timeLineEndpoints = {
  /** Newest first; `next` of an answer is `before` of the next request. */
  timeline: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/timeline',
    access: 'devices:read',
    params: ofDevice,
    query: z.object({
      ...range,
      kind: list.optional(),
      before: z.string().max(80).optional(),
      limit: few(100),
    }),
    result: z.object({ data: z.array(MomentShown), next: z.string().nullable() }),
  },
  /** Entries of all devices, newest first; `next` of an answer is `before` of the next request. */
  timelineOfDevices: {
    method: 'GET',
    path: '/organizations/:org/timeline',
    access: 'devices:read',
    params: z.object({ org: z.string() }),
    query: z.object({
      ...range,
      /** Kinds that are left out. */
      without: list.optional(),
      /** Text in the device, the kind, the person or the data. */
      text: z.string().max(200).optional(),
      person: z.string().max(200).optional(),
      device: z.string().max(200).optional(),
      before: z.string().max(80).optional(),
      limit: few(100),
    }),
    result: z.object({
      data: z.array(
        MomentShown.extend({
          deviceId: z.string(),
          device: z.string(),
          orgResourceId: z.string(),
        }),
      ),
      next: z.string().nullable(),
    }),
  },
  comments: {
    method: 'GET',
    path: '/organizations/:org/devices/:deviceId/comments',
    access: 'devices:read',
    params: ofDevice,
    query: z.object({ ...range, limit: few(500) }),
    result: z.array(Comment),
  },
  /** Comments on several devices, of a chart: those that touch the range, oldest first. */
  searchComments: {
    method: 'POST',
    path: '/organizations/:org/comments/search',
    reads: true,
    access: 'devices:read',
    params: z.object({ org: z.string() }),
    body: z.object({
      deviceIds: z.array(z.string().max(100)).min(1).max(200),
      ...range,
      limit: few(1_000),
    }),
    result: z.array(Comment),
  },
  addComment: {
    method: 'POST',
    path: '/organizations/:org/devices/:deviceId/comments',
    access: 'devices:read',
    params: ofDevice,
    body: z.object({
      /** Now when absent. */
      at: time.optional(),
      until: time.nullable().optional(),
      text,
      modelPath: modelPath.optional(),
    }),
    result: Comment,
    status: 201,
  },
  /** Only its author may change it. */
  editComment: {
    method: 'PATCH',
    path: '/organizations/:org/devices/:deviceId/comments/:id',
    access: 'devices:read',
    params: ofComment,
    body: z.object({
      text,
      at: time.optional(),
      until: time.nullable().optional(),
      modelPath: modelPath.optional(),
    }),
    result: Comment,
  },
  /** One's own, or anybody's for who may change the device. */
  deleteComment: {
    method: 'DELETE',
    path: '/organizations/:org/devices/:deviceId/comments/:id',
    access: 'devices:read',
    params: ofComment,
    result: z.undefined(),
  },
} as const

export const timeLineErrors = {
  /** The comment has another author. */
  comment_of_another: 403,
} as const
