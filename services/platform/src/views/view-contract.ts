import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'

const text = z.string().max(4_000)
/** Query string of the explorer's address: its whole state, as plain texts. */
const Query = z
  .record(z.string().min(1).max(40), z.union([text, z.array(text).max(100)]))
  .refine((query) => JSON.stringify(query).length <= 20_000, 'is longer than an address may be')

/** A saved state of the data explorer. Times are ms since 1970. */
export const ExplorerView = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Everybody of the organization who may read devices sees it; else its author alone. */
  shared: z.boolean(),
  query: Query,
  author: z.string(),
  mine: z.boolean(),
  mayChange: z.boolean(),
  /** Grows with every change; a change names the one it was made on. */
  version: z.int(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type ExplorerView = z.output<typeof ExplorerView>

const fields = {
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(1_000).default(''),
  shared: z.boolean().default(false),
  query: Query,
}
const NewView = z.object(fields)
export type NewView = z.output<typeof NewView>
const ViewChange = z
  .object({
    name: fields.name,
    description: z.string().trim().max(1_000),
    shared: z.boolean(),
    query: Query,
  })
  .partial()
  .extend({ version: z.int().min(1) })
export type ViewChange = z.output<typeof ViewChange>

const inOrg = z.object({ org: z.string() })
const ofView = z.object({ org: z.string(), view: z.uuid() })

/** Errors of saved views, part of the platform contract's. */
export const viewErrors = {
  view_name_taken: 409,
  /** Somebody changed it in the meantime. */
  view_changed: 409,
  too_many_views: 409,
  /** Sharing, and changing what others made, takes the right to update devices. */
  view_not_yours: 403,
} as const

/** Saved views of the data explorer, part of the platform contract's endpoints. */
export const viewEndpoints = {
  views: {
    method: 'GET',
    path: '/organizations/:org/views',
    access: 'devices:read',
    params: inOrg,
    result: z.array(ExplorerView),
  },
  view: {
    method: 'GET',
    path: '/organizations/:org/views/:view',
    access: 'devices:read',
    params: ofView,
    result: ExplorerView,
  },
  createView: {
    method: 'POST',
    path: '/organizations/:org/views',
    access: 'devices:read',
    params: inOrg,
    body: NewView,
    result: ExplorerView,
    status: 201,
  },
  updateView: {
    method: 'PUT',
    path: '/organizations/:org/views/:view',
    access: 'devices:read',
    params: ofView,
    body: ViewChange,
    result: ExplorerView,
  },
  deleteView: {
    method: 'DELETE',
    path: '/organizations/:org/views/:view',
    access: 'devices:read',
    params: ofView,
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
