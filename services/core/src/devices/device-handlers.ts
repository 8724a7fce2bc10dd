import { recordChange } from '@longreach/kit/audit-trail'
import { toContentPage } from '@longreach/kit/contract'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { renameOwnGroup } from '../policies/device-own-group.ts'
import { deviceFor, toDeviceInShort, noDevice, toCoreDevice } from './device-access.ts'
import type { deviceEndpoints } from './device-contract.ts'
import { moveHandlers } from './device-moving.ts'
import { type DeviceQuestion, devicesFor, findDeviceByLabel, listDevices } from './device-store.ts'

type DeviceHandlers = Pick<Handlers<typeof coreContract>, keyof typeof deviceEndpoints>

export const deviceHandlers = (deps: CoreDeps): DeviceHandlers => {
  const { db, clients } = deps
  const listed = async (query: DeviceQuestion, ctx: OrgCtx) => {
    const { rows, total } = await listDevices(db, devicesFor(ctx, 'read'), query)
    return toContentPage(rows.map(toCoreDevice), total, query)
  }
  return {
    ...moveHandlers(deps),
    coreDevices: async ({ query }, ctx) => listed(query, ctx),
    searchCoreDevices: async ({ query }, ctx) => listed(query, ctx),

    coreDeviceByLabel: async ({ params: { label } }, ctx) => {
      const row = await findDeviceByLabel(db, label, devicesFor(ctx, 'read'))
      if (!row) throw noDevice(`"${label}"`)
      return toDeviceInShort(row)
    },

    changeCoreDevice: async ({ params: { device: id }, body }, ctx) => {
      const row = await deviceFor(deps, ctx, { id, action: 'update' })
      const { label } = await clients.mappings.changeForCore({ params: { deviceId: id }, body })
      await db.transaction().execute(async (tx) => {
        // The event of mappings says the same soon; the next question need not wait for it.
        await renameOwnGroup(tx, id, label)
        const before = { label: row.label }
        const change = { resource: 'devices', action: 'update', id, label, before, after: body }
        await recordChange(tx, ctx, change)
      })
      return toDeviceInShort({ ...row, label })
    },
  }
}
