import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import type { Order } from '../asked-contract.ts'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { conditionOf, type Field, likePattern } from '../expression-sql.ts'
import { isWithin, reachOf, within } from '../reach.ts'
import { toModel, toModelWithoutContent } from './model-handlers.ts'
import {
  countModels,
  countPaths,
  listModels,
  listNames,
  listPaths,
  listVersions,
} from './model-list-store.ts'

type Keys = 'models' | 'searchModels' | 'modelNames' | 'modelVersions' | 'searchModelPaths'

/** Lists of models, of their names, versions and paths. */
export const modelLists = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  models: async ({ query }, ctx) => {
    const { search, name, version, omitContent, page, pageSize } = query
    const where = all(
      within(reachOf(ctx), 'model.organization'),
      search && sql<boolean>`lower(model.name) like ${likePattern(search)}`,
      name && sql<boolean>`model.name = ${nameIn(name)}`,
      version && sql<boolean>`model.version = ${version}`,
    )
    const listed = {
      where,
      newest: version === undefined,
      ...orderIn(models, query),
      page,
      pageSize,
    }
    const [rows, total] = await Promise.all([listModels(db, listed), countModels(db, listed)])
    return toDataPage(rows.map(omitContent ? toModelWithoutContent : toModel), total, query)
  },

  searchModels: async ({ body }, ctx) => {
    const { page, pageSize } = body
    const where = all(
      scoped(ctx, 'model.organization', body.scopedOrganization),
      found(body.data, models),
    )
    const newest = !/\bversion\b/.test(body.data ?? '')
    const listed = { where, newest, ...orderIn(models, body), page, pageSize }
    const [rows, total] = await Promise.all([listModels(db, listed), countModels(db, listed)])
    return toDataPage(rows.map(toModel), total, body)
  },

  modelNames: async ({ query }, ctx) => {
    const { search, after } = query
    const where = all(
      within(reachOf(ctx), 'model.organization'),
      search && sql<boolean>`lower(model.name) like ${likePattern(search)}`,
      after && sql<boolean>`model.name > ${after}`,
    )
    const { rows, total } = await listNames(db, where, query)
    return toDataPage(rows, total, query)
  },

  modelVersions: async ({ params: { name }, query }, ctx) => {
    const where = all(
      within(reachOf(ctx), 'model.organization'),
      sql<boolean>`model.name = ${nameIn(name)}`,
    )
    const versions = await listVersions(db, where)
    if (versions.length === 0) {
      throw failure(mappingsContract, 'not_found', { message: `There is no model ${name} here.` })
    }
    const from = query.page * query.pageSize
    return toDataPage(versions.slice(from, from + query.pageSize), versions.length, query)
  },

  searchModelPaths: async ({ body }, ctx) => {
    const where = all(
      scoped(ctx, 'model_path.organization', body.scopedOrganization),
      found(body.data, paths),
    )
    const [orderBy, orderDir] = body.orderByArray?.[0] ?? [body.orderBy, body.orderDir]
    const order = { orderBy, orderDir: orderDir === 'desc' ? ('desc' as const) : ('asc' as const) }
    const { page, pageSize } = body
    const listed = { where, ...orderIn(paths, order), page, pageSize }
    const [rows, total] = await Promise.all([listPaths(db, listed), countPaths(db, where)])
    return toDataPage(rows, total, body)
  },
})

type Fields = { of: string; first: string; fields: ReadonlyMap<string, Field> }
const field = (column: string, kind: Field['kind'] = 'text'): Field => ({
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
  ]),
}

const found = (expression: string | undefined, { fields }: Fields) =>
  expression ? conditionOf(expression, (name) => fields.get(name)) : undefined

/** Clients name models with or without a version. */
const nameIn = (text: string) => text.split(':')[0] ?? text

function scoped(ctx: OrgCtx, column: string, organization: string | undefined) {
  const reach = reachOf(ctx)
  if (!organization) return within(reach, column)
  return isWithin(reach, organization)
    ? within({ organization, subtree: false }, column)
    : sql<boolean>`false`
}

function all(...parts: (RawBuilder<boolean> | '' | undefined)[]) {
  const given = parts.filter((part) => part !== undefined && part !== '')
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
