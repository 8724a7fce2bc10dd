import { dataPage, flag } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, Issue, listed, tree } from '../asked-contract.ts'

export const Model = z.object({
  id: z.string(),
  realmId: z.string(),
  /** Name without version. */
  name: z.string(),
  nameRaw: z.string(),
  version: z.string(),
  json: tree.optional(),
  orgResourceId: z.string(),
  creationDate: z.number(),
  updatedAt: z.number(),
  parentId: z.string().nullable(),
  deleted: z.boolean(),
})
export type Model = z.output<typeof Model>

const PathFacts = z.object({
  path: z.string(),
  label: z.string(),
  description: z.string(),
  unit: z.string(),
  version: z.string(),
  tags: z.array(z.string()),
  type: z.string(),
  instanceOf: z.string().nullable(),
})
const ModelPath = PathFacts.extend({
  orgResourceId: z.string(),
  /** Name and major version: `Oven:1`. */
  model: z.string(),
  deprecated: z.boolean(),
})

const id = z.object({ id: z.string() })
const NewModel = z.object({ name: z.string().min(1).max(300), data: tree })
const searchBody = z.object({
  /** An expression as `name ~= "oven" and version == "1.0.0"`. */
  data: z.string().max(10_000).optional(),
  page: listed.page,
  pageSize: listed.pageSize,
  scopedOrganization: z.string().max(500).optional(),
  orderBy: listed.orderBy,
  orderDir: listed.orderDir,
})

export const modelEndpoints = {
  /** One entry for each name, its newest version, unless a version is asked for. */
  models: {
    method: 'GET',
    path: '/models',
    access: 'models:read',
    query: z.object({
      ...listed,
      name: z.string().max(300).optional(),
      version: z.string().max(50).optional(),
      omitContent: flag.optional(),
    }),
    result: dataPage(Model),
  },
  searchModels: {
    method: 'POST',
    path: '/models/search',
    reads: true,
    access: 'models:read',
    query: inOrganization,
    body: searchBody,
    result: dataPage(Model),
  },
  modelNames: {
    method: 'GET',
    path: '/models/names',
    access: 'models:read',
    query: z.object({ ...listed, after: z.string().max(300).optional() }),
    result: dataPage(z.object({ name: z.string(), count: z.int(), orgResourceId: z.string() })),
  },
  modelVersions: {
    method: 'GET',
    path: '/models/:name/versions',
    access: 'models:read',
    params: z.object({ name: z.string() }),
    query: z.object(listed),
    result: dataPage(z.string()),
  },
  searchModelPaths: {
    method: 'POST',
    path: '/models/paths/search',
    reads: true,
    access: 'models:read',
    query: inOrganization,
    body: searchBody.extend({ orderByArray: z.array(z.array(z.string())).optional() }),
    result: dataPage(ModelPath),
  },
  /** Judge a tree without keeping it; with `modelId`, also how far it departs from that model. */
  validateModel: {
    method: 'POST',
    path: '/models/validate',
    reads: true,
    access: 'models:read',
    query: inOrganization,
    body: z.object({ modelId: z.string().nullish(), data: tree }),
    result: z.object({
      modelId: z.string().nullable(),
      major: z.boolean(),
      minor: z.boolean(),
      patch: z.boolean(),
      valid: z.boolean(),
      issues: z.array(Issue),
    }),
  },
  createModel: {
    method: 'POST',
    path: '/models',
    access: 'models:create',
    query: inOrganization,
    body: NewModel,
    result: Model.extend({ metadata: z.array(PathFacts) }),
    status: 201,
  },
  model: {
    method: 'GET',
    path: '/models/:id',
    access: 'models:read',
    params: id,
    query: inOrganization,
    result: Model,
  },
  /** A changed model is a version of its own; what was there stays for the presets made from it. */
  updateModel: {
    method: 'PUT',
    path: '/models/:id',
    access: 'models:update',
    params: id,
    query: inOrganization,
    body: NewModel,
    result: z.object({ value: Model }),
  },
  deleteModel: {
    method: 'DELETE',
    path: '/models/:id',
    access: 'models:delete',
    params: id,
    query: inOrganization,
    result: Model,
  },
} as const
