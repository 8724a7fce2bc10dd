import { dataPage, flag, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import {
  inOrganization,
  Issue,
  largestTree,
  mostTreeValues,
  listQuery,
  tree,
} from '../asked-contract.ts'

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
  /** Organizations below see the model and may make presets of it. */
  subOrgsEnabledToView: z.boolean(),
  /** Presets of all its versions, and devices that have one of them; only where it was asked for. */
  usage: z.object({ presets: z.int(), devices: z.int() }).optional(),
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
  subOrgsEnabledToView: z.boolean(),
})

/** Something wrong with a tree, and where its text has it; lines and columns count from 1. */
const Problem = Issue.extend({ line: z.int().optional(), column: z.int().optional() })
export type Problem = z.output<typeof Problem>

/** One difference between two versions, and what it makes of the version's number. */
const ModelChange = z.object({
  path: z.string(),
  kind: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  weight: z.enum(['major', 'minor', 'patch']),
})

const uses = {
  /** Presets in the caller's reach, of all versions of the model. */
  presets: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      orgResourceId: z.string(),
      modelId: z.string(),
      version: z.string(),
      devices: z.int(),
      /** Changed paths that the preset takes values for. */
      paths: z.array(z.string()),
    }),
  ),
  /** Of organizations below, where a shared model is used: only how many. */
  others: z.object({ presets: z.int(), devices: z.int() }),
  devices: z.int(),
  /** Saved views of the caller's organization that show it, those that the caller sees. */
  views: z.array(z.object({ id: z.string(), name: z.string(), paths: z.array(z.string()) })),
}

const id = z.object({ id: z.string() })
const NewModel = z.object({
  name: z.string().min(1).max(300),
  data: tree,
  /** Name the objects inside that have no name, and count up the models inside that changed, instead of refusing. */
  settle: z.boolean().optional(),
})
const searchBody = z.object({
  /** An expression as `name ~= "oven" and version == "1.0.0"`. */
  data: z.string().max(10_000).optional(),
  page: listQuery.page,
  pageSize: listQuery.pageSize,
  scopedOrganization: z.string().max(500).optional(),
  orderBy: listQuery.orderBy,
  orderDir: listQuery.orderDir,
})

export const modelEndpoints = {
  /** One entry for each name, its newest version, unless a version is asked for. */
  models: {
    method: 'GET',
    path: '/models',
    access: 'models:read',
    query: z.object({
      ...listQuery,
      name: z.string().max(300).optional(),
      version: z.string().max(50).optional(),
      omitContent: flag.optional(),
      /** Count the presets and devices of each model. */
      usage: flag.optional(),
      /** Only those that are shared, here or from above. */
      shared: flag.optional(),
      /** Only those with a preset, or only those without. */
      used: flag.optional(),
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
    query: z.object({ ...listQuery, after: z.string().max(300).optional() }),
    result: dataPage(z.object({ name: z.string(), count: z.int(), orgResourceId: z.string() })),
  },
  modelVersions: {
    method: 'GET',
    path: '/models/:name/versions',
    access: 'models:read',
    params: z.object({ name: z.string() }),
    query: z.object({
      ...listQuery,
      /** False: without those that an organization above shares. */
      shared: flag.optional(),
      /** False: of each major version only the newest. */
      fullHistory: flag.optional(),
    }),
    result: dataPage(z.string()),
  },
  searchModelPaths: {
    method: 'POST',
    path: '/models/paths/search',
    reads: true,
    access: 'models:read',
    query: inOrganization,
    body: searchBody.extend({
      /** A model has more paths than a page of other lists has rows. */
      pageSize: paging(100).pageSize,
      orderByArray: z
        .array(z.array(z.string().max(100)).max(2))
        .max(20)
        .optional(),
    }),
    result: dataPage(ModelPath),
  },
  /**
   * Judge a tree, or the text that should be one, without keeping it; with `modelId`, also how far it
   * departs from that model.
   */
  validateModel: {
    method: 'POST',
    path: '/models/validate',
    reads: true,
    access: 'models:read',
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    query: inOrganization,
    body: z
      .object({
        modelId: z.string().nullish(),
        data: tree.optional(),
        text: z.string().max(2_000_000).optional(),
      })
      .refine(({ data, text }) => data !== undefined || text !== undefined, {
        message: 'data or text is needed',
        path: ['data'],
      }),
    result: z.object({
      modelId: z.string().nullable(),
      major: z.boolean(),
      minor: z.boolean(),
      patch: z.boolean(),
      valid: z.boolean(),
      issues: z.array(Issue),
      problems: z.array(Problem),
      changes: z.array(ModelChange),
    }),
  },
  /** Effects of saving this tree: the next version, and the presets and views that use what changes. */
  modelImpact: {
    method: 'POST',
    path: '/models/:id/impact',
    reads: true,
    access: 'models:read',
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    params: id,
    query: inOrganization,
    body: z.object({ data: tree }),
    result: z.object({
      newest: z.object({ id: z.string(), version: z.string() }),
      version: z.string(),
      change: z.enum(['none', 'patch', 'minor', 'major']),
      problems: z.array(Problem),
      changes: z.array(ModelChange),
      ...uses,
    }),
  },
  /** Uses of a model, and the versions after this one. */
  modelUsage: {
    method: 'GET',
    path: '/models/:id/usage',
    access: 'models:read',
    params: id,
    query: inOrganization,
    result: z.object({
      ...uses,
      newer: z.array(z.object({ id: z.string(), version: z.string() })),
    }),
  },
  shareModel: {
    method: 'PUT',
    path: '/models/:id/subOrgsEnabledToView',
    access: 'models:update',
    params: id,
    query: inOrganization,
    body: z.object({ data: z.boolean() }),
    result: z.object({ data: z.boolean() }),
  },
  /** All versions of a name at once. */
  shareModelByName: {
    method: 'PUT',
    path: '/models/name/:name/subOrgsEnabledToView',
    access: 'models:update',
    params: z.object({ name: z.string() }),
    query: inOrganization,
    body: z.object({ data: z.boolean() }),
    result: z.object({ data: z.boolean() }),
  },
  createModel: {
    method: 'POST',
    path: '/models',
    access: 'models:create',
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    query: inOrganization,
    body: NewModel,
    ignored: ['UUID'],
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
    largestBody: largestTree,
    mostValues: mostTreeValues,
    costly: true,
    params: id,
    query: inOrganization,
    body: NewModel.extend({
      /** Id of the newest version as the caller knows it: a later one of somebody else is not overtaken. */
      expected: z.string().optional(),
    }),
    result: z.object({ value: Model }),
  },
  deleteModel: {
    method: 'DELETE',
    path: '/models/:id',
    access: 'models:delete',
    params: id,
    query: inOrganization.extend({ allVersions: flag.optional() }),
    result: Model,
  },
} as const
