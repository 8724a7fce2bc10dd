import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { wordsOf } from '../models/model-rules.ts'
import { formulaLeaves } from '../presets/formula-leaf-rules.ts'
import { attributesFor, devicesFor } from '../reach.ts'
import { toAsking } from '../asking.ts'
import { aggregationsOf } from './device-aggregations.ts'
import { facetsOf } from './device-facets.ts'
import { geoGridOf } from './device-geo-grid.ts'
import { type Asked, findDevices } from './device-list.ts'
import { orderOf } from './device-order.ts'
import { asksForAll, devicesWhere, filtersOf } from '../search/device-question.ts'
import { noDevice } from './device-refusals.ts'
import {
  attributeKeys,
  attributeValues,
  countStates,
  deviceById,
  findDevice,
} from './device-store.ts'
import { toDevice } from './device-wire.ts'

type Keys =
  | 'devices'
  | 'searchDevices'
  | 'deviceAggregations'
  | 'devicesOfGroup'
  | 'deviceCounts'
  | 'attributeKeys'
  | 'deviceFacets'
  | 'attributeValues'
  | 'device'
  | 'deviceForPlatform'

type Page = Asked & { orderBy?: string | undefined; orderDir?: 'asc' | 'desc' | undefined }

/** Handlers that read devices. */
export const deviceReads = (deps: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => {
  const { db } = deps
  const listed = async (
    ctx: OrgCtx,
    where: Awaited<ReturnType<typeof devicesWhere>>,
    asked: Page,
  ) => {
    const order = orderOf(asked.orderBy)
    const whole = order.byOrganization === true && asksForAll(ctx, asked)
    const ordered = { where, order, dir: asked.orderDir ?? 'asc', whole } as const
    const { rows, total, last, next, number } = await findDevices(db, ordered, asked)
    return {
      ...toDataPage(
        rows.map((row) => toDevice(ctx, row)),
        total,
        { ...asked, page: number, last },
      ),
      ...(next !== undefined && { scrollId: next }),
      timestamp: ctx.now.getTime(),
    }
  }

  return {
    devices: async ({ query }, ctx) => listed(ctx, await devicesWhere(deps, ctx, query), query),

    searchDevices: async ({ body }, ctx) => {
      const where = await devicesWhere(deps, ctx, filtersOf(body))
      const [page, figures, grid] = await Promise.all([
        listed(ctx, where, body),
        aggregationsOf({ db, rights: ctx }, where, body),
        geoGridOf({ db, rights: ctx }, where, body),
      ])
      return { ...page, ...((figures ?? grid) && { aggregations: { ...figures, ...grid } }) }
    },

    deviceAggregations: async ({ body }, ctx) => {
      const where = await devicesWhere(deps, ctx, filtersOf(body))
      const [figures, grid] = await Promise.all([
        aggregationsOf({ db, rights: ctx }, where, body),
        geoGridOf({ db, rights: ctx }, where, body),
      ])
      return { ...figures, ...grid }
    },

    deviceCounts: async ({ query }, ctx) => countStates(db, await devicesWhere(deps, ctx, query)),

    devicesOfGroup: async ({ params: { group }, query }, ctx) => {
      await checkGroupVisible(deps, ctx, group)
      const where = await devicesWhere(deps, ctx, query)
      const inGroup = sql<boolean>`device.groups && array[${group}]::int[]`
      return listed(ctx, sql<boolean>`(${where} and ${inGroup})`, query)
    },

    deviceFacets: async (_, ctx) => facetsOf(db, devicesFor(ctx, 'read')),

    attributeKeys: async (_, ctx) => attributeKeys(db, shownTo(ctx)),

    attributeValues: async ({ params: { key } }, ctx) => attributeValues(db, shownTo(ctx), key),

    device: async ({ params: { id } }, ctx) => {
      const row = await findDevice(db, id, devicesFor(ctx, 'read'))
      if (!row) throw noDevice(id)
      return { value: toDevice(ctx, row) }
    },

    deviceForPlatform: async ({ params: { deviceId } }) => {
      const row = await deviceById(db, deviceId)
      if (!row) throw noDevice(deviceId)
      return toPlatform(row)
    },
  }
}

const shownTo = (ctx: OrgCtx) => ({
  visible: devicesFor(ctx, 'read'),
  attributes: attributesFor(ctx),
})

/** Facts of a device that platform needs to take its values. */
const toPlatform = (row: NonNullable<Awaited<ReturnType<typeof deviceById>>>) => ({
  deviceId: row.id,
  label: row.label,
  realm: row.realm,
  orgResourceId: row.organization,
  groups: row.groups,
  ...(row.modelOrganization !== null && {
    model: {
      organization: row.modelOrganization,
      name: `${row.modelName}:${row.modelMajor}`,
    },
  }),
  configuration: row.compiled,
  formulas: row.preset ? formulaLeaves(row.preset) : [],
  facts: row.model ? wordsOf(row.model) : [],
})

/** A device group of the organization, which core knows. */
async function checkGroupVisible({ clients }: MappingsDeps, ctx: OrgCtx, group: number) {
  const body = { ...toAsking(ctx), groupIds: [group] }
  if ((await clients.core.findPlaces({ body })).groupIds.length > 0) return
  const message = `There is no device group ${group} in this organization`
  throw failure(mappingsContract, 'not_found', { message, group })
}
