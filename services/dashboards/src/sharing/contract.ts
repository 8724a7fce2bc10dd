import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization } from '../asked-contract.ts'

/** A user name, `*` for all with dashboards:read here, `**` for all here and below. */
const shareName = z.string().trim().min(1).max(200)

/** Share as clients send it: `r` reads, `r/w` edits, null does neither. */
const permission = z.union([
  z.enum(['r', 'r/w']),
  z.literal('rw').transform(() => 'r/w' as const),
  z.null(),
])
const Share = z.object({ name: shareName, permission: permission.optional() })

const lists = z.object({ readers: z.array(z.string()), editors: z.array(z.string()) })

const share = {
  access: 'dashboards:read',
  query: inOrganization,
  result: lists,
} as const
const many = { ...share, params: byId } as const
const one = { ...share, params: byId.extend({ user: shareName }) } as const
const body = z.array(Share).max(1_000)

export const sharingContract = definePartContract({
  errors: {
    /** `details.names` are those that nobody here has. */
    unknown_names: 422,
    is_owner: 422,
  },
  endpoints: {
    readers: { method: 'GET', path: '/:id/readers', ...many },
    editors: { method: 'GET', path: '/:id/editors', ...many },
    /** Makes people readers, or what their `permission` says; all are checked before one is changed. */
    addReaders: { method: 'POST', path: '/:id/readers', ...many, body },
    addEditors: { method: 'POST', path: '/:id/editors', ...many, body },
    addReader: {
      method: 'POST',
      path: '/:id/readers/:user',
      ...one,
      body: z.object({}).default({}),
    },
    addEditor: {
      method: 'POST',
      path: '/:id/editors/:user',
      ...one,
      body: z.object({}).default({}),
    },
    removeReaders: { method: 'DELETE', path: '/:id/readers', ...many, body: body.default([]) },
    removeEditors: { method: 'DELETE', path: '/:id/editors', ...many, body: body.default([]) },
    removeReader: { method: 'DELETE', path: '/:id/readers/:user', ...one },
    removeEditor: { method: 'DELETE', path: '/:id/editors/:user', ...one },
  },
})
