import { definePartContract, dataPage, paging } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'

/** Look of a dashboard's card in lists, as clients send it. */
const CardStyle = z.record(z.string().max(60), z.unknown())

/** Share: a user name, `*` for all with dashboards:read here, `**` also for those below. */
const Share = z.string()

/** Dashboard on the existing wire, and under `longreach` what is not on it. */
export const Dashboard = z.object({
  id: z.uuid(),
  type: z.enum(['DASHBOARD', 'WIDGET']),
  name: z.string(),
  description: z.string(),
  /** Text of the document; absent in lists. */
  json: z.string().optional(),
  manifest: z.record(z.string(), z.unknown()).nullable(),
  owner: z.string(),
  parentId: z.uuid().optional(),
  readers: z.array(Share),
  editors: z.array(Share),
  orgResourceId: z.string(),
  realmId: z.string(),
  creationDate: ms,
  updatedAt: ms,
  /** Name of the version in `json`, or of the current one. */
  version: z.string(),
  deleted: z.boolean(),
  cardStyle: CardStyle.optional(),
  longreach: z.object({
    /** Highest role of the caller. */
    role: z.enum(['owner', 'keeper', 'editor', 'reader']),
    /** Version that readers see. */
    currentVersion: z.string(),
    deletedAt: ms.nullable(),
    deletedBy: z.string().nullable(),
  }),
})
export type Dashboard = z.output<typeof Dashboard>

const name = z.string().trim().min(1).max(120)
const description = z.string().max(2_000)
/** Text of a document, also compressed by lz-string. */
const json = z.string().max(6_000_000)

/** Fields of an answer that clients send back, without effect: nobody takes a dashboard over by them. */
const ignored = [
  'id',
  'readers',
  'editors',
  'owner',
  'orgResourceId',
  'realmId',
  'creationDate',
  'updatedAt',
  'version',
  'deleted',
  'longreach',
] as const

const largestDocument = 7_000_000

const listQuery = inOrganization.extend({
  ...paging(10, 1_000),
  search: z.string().max(200).optional(),
  username: z.string().max(200).optional(),
  type: z.enum(['DASHBOARD', 'WIDGET']).optional(),
  orderBy: z
    .union([
      z.enum(['name', 'updatedAt', 'creationDate']),
      z.literal('').transform(() => 'name' as const),
    ])
    .default('name'),
  orderDir: z
    .string()
    .transform((direction) => direction.toLowerCase() || 'asc')
    .pipe(z.enum(['asc', 'desc']))
    .default('asc'),
  append: z.string().max(10).optional(),
  whose: z
    .union([
      z.enum(['ALL', 'MINE', 'SHARED_WITH_ME', 'SHARED_BY_ME']),
      z.literal('').transform(() => 'ALL' as const),
    ])
    .default('ALL'),
})
export type ListQuery = z.output<typeof listQuery>

const read = { access: 'dashboards:read', result: dataPage(Dashboard), query: listQuery } as const

export const itemsContract = definePartContract({
  errors: {
    /** Another dashboard is to be shown in this one that is not there. */
    no_such_parent: 422,
    too_many: 422,
    not_in_trash: 409,
  },
  endpoints: {
    dashboards: { method: 'GET', path: '', ...read },
    myDashboards: { method: 'GET', path: '/mine', ...read },
    sharedDashboards: { method: 'GET', path: '/sharedWithMe', ...read },
    /** Deleted ones, which can be restored for 30 days. */
    dashboardTrash: { method: 'GET', path: '/trash', ...read },
    createDashboard: {
      method: 'POST',
      path: '',
      access: 'dashboards:create',
      query: inOrganization,
      body: z.object({
        name,
        description: description.nullish(),
        type: z.enum(['DASHBOARD', 'WIDGET']).nullish(),
        json: json.nullish(),
        manifest: z.record(z.string(), z.unknown()).nullish(),
        cardStyle: CardStyle.nullish(),
        parentId: z.uuid().nullish(),
      }),
      ignored,
      largestBody: largestDocument,
      result: Dashboard,
      status: 201,
    },
    dashboard: {
      method: 'GET',
      path: '/:id',
      access: 'dashboards:read',
      params: byId,
      /** Name of a version; `LATEST` and nothing are the current one, `DRAFT` is for editors. */
      query: inOrganization.extend({ version: z.string().max(60).optional() }),
      result: Dashboard,
    },
    /** Changes what is given; `json` is one change of the draft, and published with `autosave` false. */
    updateDashboard: {
      method: 'PATCH',
      path: '/:id',
      // Owners need no permission to change what is theirs.
      access: 'dashboards:read',
      params: byId,
      query: inOrganization.extend({ version: z.string().max(60).optional() }),
      body: z.object({
        name: name.optional(),
        description: description.nullish(),
        json: json.nullish(),
        manifest: z.record(z.string(), z.unknown()).nullish(),
        cardStyle: CardStyle.nullish(),
        autosave: z.boolean().nullish(),
      }),
      ignored: [...ignored, 'type', 'parentId'],
      largestBody: largestDocument,
      result: Dashboard,
    },
    /** Puts it into the trash, with its versions and shares. */
    deleteDashboard: {
      method: 'DELETE',
      path: '/:id',
      access: 'dashboards:delete',
      params: byId,
      query: inOrganization,
      result: z.undefined(),
    },
    restoreDashboard: {
      method: 'POST',
      path: '/:id/restore',
      access: 'dashboards:delete',
      params: byId,
      query: inOrganization,
      body: z.object({}).default({}),
      result: Dashboard,
    },
    deleteDashboardForever: {
      method: 'DELETE',
      path: '/:id/forever',
      access: 'dashboards:delete',
      params: byId,
      query: inOrganization,
      result: z.undefined(),
    },
    /** JSON Schema (2020-12) of documents. */
    dashboardSchema: {
      method: 'GET',
      path: '/schema',
      access: 'signed-in',
      apiKeys: true,
      result: z.record(z.string(), z.unknown()),
    },
  },
})
