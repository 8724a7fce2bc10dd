import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import type { Order } from '../asked-contract.ts'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import type { SqlField } from '@longreach/search-expression/expression-sql'
import { likePattern } from '@longreach/search-expression/text-pattern'
import { conditionOf } from '../search-condition.ts'
import { isWithin, type Reach, reachOf } from '@longreach/authorization/reach'
import { inGroupsOf, within } from '../reach.ts'
import {
  countModels,
  countPaths,
  listModels,
  listNames,
  listPaths,
  listVersions,
} from './model-list-store.ts'
import type { ModelRow } from './model-store.ts'
import { countUses, usesSeen } from './model-usage-store.ts'
import { nearestOfName, visibleIn } from './model-visibility.ts'
import { toModel, toModelWithoutContent } from './model-wire.ts'

type Keys = 'models' | 'searchModels' | 'modelNames' | 'modelVersions' | 'searchModelPaths'

/** Lists of models, of their names, versions and paths. */
export const modelLists = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  models: async ({ query }, ctx) => {
    const { search, name, version, omitContent, page, pageSize } = query
    const reach = reachOf(ctx)
    const where = all(
      visibleIn(reach, 'model'),
      nearestOfName(reach, version ? sql`nearer.version = ${version}` : undefined),
      search && sql<boolean>`mappings.folded(model.name) like ${likePattern(search)}`,
      name && sql<boolean>`model.name = ${nameIn(name)}`,
      version && sql<boolean>`model.version = ${version}`,
      query.shared !== undefined && sql<boolean>`model.shared = ${query.shared}`,
      query.used !== undefined && sql<boolean>`${isUsed(reach)} = ${query.used}`,
    )
    const newest = version === undefined ? reach : undefined
    const listed = { where, newest, ...orderIn(models, query), page, pageSize }
    const [rows, total] = await Promise.all([listModels(db, listed), countModels(db, listed)])
    const wire = rows.map(omitContent ? toModelWithoutContent : toModel)
    if (!query.usage) return toDataPage(wire, total, query)
    const counted = inGroupsOf(ctx, 'read')
    const uses = await countUses(db, rows.map(idOf), { reach, counted })
    const used = wire.map((one) => ({ ...one, usage: uses.get(one.id) ?? unused }))
    return toDataPage(used, total, query)
  },

  searchModels: async ({ body }, ctx) => {
    const { page, pageSize } = body
    const reach = scopedTo(reachOf(ctx), body.scopedOrganization)
    const where = all(reach ? visibleIn(reach, 'model') : nothing, found(body.data, models))
    const anyVersion = /\bversion\b/.test(body.data ?? '')
    const newest = anyVersion ? undefined : (reach ?? reachOf(ctx))
    const nearest = reach && newest ? all(where, nearestOfName(reach)) : where
    const listed = { where: nearest, newest, ...orderIn(models, body), page, pageSize }
    const [rows, total] = await Promise.all([listModels(db, listed), countModels(db, listed)])
    return toDataPage(rows.map(toModel), total, body)
  },

  modelNames: async ({ query }, ctx) => {
    const { search, after } = query
    const reach = reachOf(ctx)
    const where = all(
      visibleIn(reach, 'model'),
      nearestOfName(reach),
      search && sql<boolean>`mappings.folded(model.name) like ${likePattern(search)}`,
      after && sql<boolean>`model.name > ${after}`,
    )
    const { rows, total } = await listNames(db, where, query)
    return toDataPage(rows, total, query)
  },

  modelVersions: async ({ params: { name }, query }, ctx) => {
    const reach = reachOf(ctx)
    const where = all(
      query.shared === false ? within(reach, 'model.organization') : visibleIn(reach, 'model'),
      sql<boolean>`model.name = ${nameIn(name)}`,
    )
    const every = await listVersions(db, where)
    if (every.length === 0) {
      throw failure(mappingsContract, 'not_found', { message: `There is no model ${name} here.` })
    }
    const versions = query.fullHistory === false ? newestOfEachMajor(every) : every
    const from = query.page * query.pageSize
    return toDataPage(versions.slice(from, from + query.pageSize), versions.length, query)
  },

  searchModelPaths: async ({ body }, ctx) => {
    const reach = scopedTo(reachOf(ctx), body.scopedOrganization)
    const where = all(reach ? visibleIn(reach, 'model') : nothing, found(body.data, paths))
    const orders = body.orderByArray?.length ? body.orderByArray : [[body.orderBy, body.orderDir]]
    const orderBy = orders.map(([by, direction]) =>
      orderIn(paths, { orderBy: by, orderDir: direction === 'desc' ? 'desc' : 'asc' }),
    )
    const { page, pageSize } = body
    const listed = { where, orderBy, page, pageSize }
    const [rows, total] = await Promise.all([listPaths(db, listed), countPaths(db, where)])
    return toDataPage(rows, total, body)
  },
})

/** Has any version of the model a preset that counts for the caller? */
const isUsed = (reach: Reach) => sql<boolean>`exists (
  select from ${sql.table('mappings.model')} as version
  join ${sql.table('mappings.preset')} as preset on preset.model_id = version.id
  where version.organization = model.organization and version.name = model.name
    and ${usesSeen(reach)})`
const unused = { presets: 0, devices: 0 }
const idOf = ({ id }: ModelRow) => id
const nothing = sql<boolean>`false`

/** Versions come newest first, so that the first of a major version is its newest. */
const newestOfEachMajor = (versions: readonly string[]) =>
  [...Map.groupBy(versions, (version) => version.split('.')[0]).values()].flatMap(
    ([first = '']) => [first],
  )

type Fields = { of: string; first: string; fields: ReadonlyMap<string, SqlField> }
const field = (column: string, kind: SqlField['kind'] = 'text'): SqlField => ({
  sql: sql.ref(column),
  kind,
})

const models: Fields = {
  of: 'Models',
  first: 'name',
  fields: new Map([
    ['name', field('model.name')],
    ['nameRaw', field('model.name')],
    ['version', field('model.version')],
    ['id', field('model.id')],
    ['orgResourceId', field('model.organization')],
    ['subOrgsEnabledToView', field('model.shared', 'boolean')],
    ['creationDate', field('model.created_at', 'time')],
    ['updatedAt', field('model.updated_at', 'time')],
  ]),
}
const paths: Fields = {
  of: 'Paths',
  first: 'path',
  fields: new Map([
    ['model', field('model_path.model')],
    ['path', field('model_path.path')],
    ['type', field('model_path.type')],
    ['instanceOf', field('model_path.instance_of')],
    ['label', field('model_path.label')],
    ['description', field('model_path.description')],
    ['unit', field('model_path.unit')],
    ['tags', field('model_path.tags', 'texts')],
    ['version', field('model_path.version')],
    ['deprecated', field('model_path.deprecated', 'boolean')],
    ['orgResourceId', field('model_path.organization')],
    ['subOrgsEnabledToView', field('model.shared', 'boolean')],
  ]),
}

const found = (expression: string | undefined, { fields }: Fields) =>
  expression ? conditionOf(expression, (name) => fields.get(name)) : undefined

/** Clients name models with or without a version. */
const nameIn = (text: string) => text.split(':')[0] ?? text

/** The reach of the call, or one organization of it; undefined when that one is not in it. */
function scopedTo(reach: Reach, organization: string | undefined): Reach | undefined {
  if (!organization) return reach
  return isWithin(reach, organization) ? { organization, subtree: false } : undefined
}

function all(...parts: (RawBuilder<boolean> | '' | false | undefined)[]) {
  const given = parts.filter((part) => part !== undefined && part !== '' && part !== false)
  return sql<boolean>`(${sql.join(given, sql` and `)})`
}

function orderIn({ of, first, fields }: Fields, { orderBy = first, orderDir = 'asc' }: Order) {
  const order = fields.get(orderBy)
  if (order) return { orderBy: order.sql, orderDir }
  throw failure(mappingsContract, 'bad_order', {
    message: `${of} cannot be ordered by ${orderBy}; use one of ${[...fields.keys()].join(', ')}.`,
    field: 'orderBy',
  })
}
