import { contentPage, type Endpoint, paging, rowId, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

/**
 * Paths of models as segments: `Oven:1/zones[*]/temperature`, `Oven:*` for every version, `*` for
 * one segment, `**` for any number of them. `pathRegExp` says the same to clients that read one.
 */
export const ModelPath = z.object({
  id: z.int(),
  mode: z.enum(['EXACT', 'PATTERN']),
  path: z.string(),
  pathRegExp: z.string(),
})
export type ModelPath = z.output<typeof ModelPath>

const text = z.string().trim().max(500)
const NewModelPath = z
  .object({
    path: text.optional(),
    /** Only what segments can say: names, `[^/]+` for one segment, `.*` for the rest. */
    pathRegExp: text.optional(),
    realm: z.string().max(255).optional(),
  })
  .refine(({ path = '', pathRegExp = '' }) => path !== '' || pathRegExp !== '', {
    path: ['path'],
    message: 'must be given, or a pathRegExp',
  })
export type NewModelPath = z.output<typeof NewModelPath>

const rights = { history: z.boolean(), read: z.boolean(), write: z.boolean() }
/** Rights of a role on a model path: live values, history and writing. */
export const ModelPathPermission = z.object({ modelPath: ModelPath, ...rights })
export type ModelPathPermission = z.output<typeof ModelPathPermission>

/** A path as it is answered: its id says which one. */
const AsAnswered = z.object({
  id: rowId,
  mode: z.string().optional(),
  path: z.string().optional(),
  pathRegExp: z.string().optional(),
})

/** The path by its id, as it came, or as text: then it is made where there is none yet. */
export const NewModelPathPermission = z.object({
  modelPath: z.union([rowId, text.min(1), AsAnswered]),
  history: rights.history.default(false),
  read: rights.read.default(false),
  write: rights.write.default(false),
})
export type NewModelPathPermission = z.output<typeof NewModelPathPermission>

const org = z.object({ org: z.string() })
const ofRole = z.object({ org: z.string(), role: rowIdText })

export const modelPathEndpoints = {
  modelPaths: {
    method: 'GET',
    path: '/organizations/:org/modelPaths',
    access: 'roles:read',
    params: org,
    query: z.object({ ...paging(500), search: z.string().max(255).optional() }),
    result: contentPage(ModelPath),
  },
  /** The same path twice is the one that is there. */
  createModelPath: {
    method: 'POST',
    path: '/organizations/:org/modelPaths',
    access: ['roles:create', 'roles:update'],
    params: org,
    body: NewModelPath,
    result: ModelPath,
    status: 201,
  },
  /** 409 while a role names it. */
  deleteModelPath: {
    method: 'DELETE',
    path: '/organizations/:org/modelPaths/:modelPath',
    access: 'roles:update',
    params: z.object({ org: z.string(), modelPath: rowIdText }),
    result: z.undefined(),
  },
  modelPathPermissions: {
    method: 'GET',
    path: '/organizations/:org/roles/:role/modelPathPermissions',
    access: 'roles:read',
    params: ofRole,
    result: z.array(ModelPathPermission),
  },
  /** All of them; an empty list lifts the limit to paths. */
  setModelPathPermissions: {
    method: 'PUT',
    path: '/organizations/:org/roles/:role/modelPathPermissions',
    access: 'roles:update',
    params: ofRole,
    body: z.array(NewModelPathPermission).max(200),
    result: z.array(ModelPathPermission),
  },
} as const satisfies Record<string, Endpoint>
