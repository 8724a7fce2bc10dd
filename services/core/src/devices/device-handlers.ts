import { toContentPage } from '@longreach/kit/contract'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { toDeviceInShort, noDevice, toCoreDevice } from './device-access.ts'
import type { deviceEndpoints } from './device-contract.ts'
import { type DeviceQuestion, devicesFor, findDeviceByLabel, listDevices } from './device-store.ts'

type DeviceHandlers = Pick<Handlers<typeof coreContract>, keyof typeof deviceEndpoints>

export const deviceHandlers = ({ db }: CoreDeps): DeviceHandlers => {
  const listed = async (query: DeviceQuestion, ctx: OrgCtx) => {
    const { rows, total } = await listDevices(db, devicesFor(ctx, 'read'), query)
    return toContentPage(rows.map(toCoreDevice), total, query)
  }
  return {
    coreDevices: async ({ query }, ctx) => listed(query, ctx),
    searchCoreDevices: async ({ query }, ctx) => listed(query, ctx),

    coreDeviceByLabel: async ({ params: { label } }, ctx) => {
      const row = await findDeviceByLabel(db, label, devicesFor(ctx, 'read'))
      if (!row) throw noDevice(`"${label}"`)
      return toDeviceInShort(row)
    },
  }
}
