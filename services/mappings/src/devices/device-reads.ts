import { toDataPage } from '@longreach/kit/contract'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { wordsOf } from '../models/model-rules.ts'
import { devicesFor } from '../reach.ts'
import { noDevice } from './device-refusals.ts'
import { type DeviceFilters, devicesWhere, orderOf } from './device-search.ts'
import {
  attributeKeys,
  attributeValues,
  countDevices,
  countStates,
  deviceById,
  findDevice,
  listDevices,
} from './device-store.ts'
import { toDevice } from './device-wire.ts'

type Keys =
  | 'devices'
  | 'searchDevices'
  | 'deviceCounts'
  | 'attributeKeys'
  | 'attributeValues'
  | 'device'
  | 'deviceForPlatform'

type Page = {
  page: number
  pageSize: number
  orderBy?: string | undefined
  orderDir?: 'asc' | 'desc' | undefined
}

/** What is asked about devices. */
export const deviceReads = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => {
  const listed = async (ctx: OrgCtx, filters: DeviceFilters, asked: Page) => {
    const where = devicesWhere(ctx, filters)
    const { page, pageSize, orderBy, orderDir = 'asc' } = asked
    const order = { where, orderBy: orderOf(orderBy), orderDir, page, pageSize }
    const [rows, total] = await Promise.all([listDevices(db, order), countDevices(db, where)])
    return toDataPage(rows.map(toDevice), total, asked)
  }

  return {
    devices: async ({ query }, ctx) => listed(ctx, query, query),

    searchDevices: async ({ body }, ctx) => {
      const { data, filters, scopedOrganization } = body
      return listed(ctx, { ...filters, expression: data, scopedOrganization }, body)
    },

    deviceCounts: async ({ query }, ctx) => countStates(db, devicesWhere(ctx, query)),

    attributeKeys: async (_, ctx) => attributeKeys(db, devicesFor(ctx, 'read')),

    attributeValues: async ({ params: { key } }, ctx) =>
      attributeValues(db, devicesFor(ctx, 'read'), key),

    device: async ({ params: { id } }, ctx) => {
      const row = await findDevice(db, id, devicesFor(ctx, 'read'))
      if (!row) throw noDevice(id)
      return { value: toDevice(row) }
    },

    deviceForPlatform: async ({ params: { deviceId } }) => {
      const row = await deviceById(db, deviceId)
      if (!row) throw noDevice(deviceId)
      return {
        deviceId: row.id,
        label: row.label,
        realm: row.realm,
        orgResourceId: row.organization,
        groups: row.groups,
        configuration: row.compiled,
        facts: row.model ? wordsOf(row.model) : [],
      }
    },
  }
}
