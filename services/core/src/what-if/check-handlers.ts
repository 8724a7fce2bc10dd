import { can, canDevice, canVpn } from '@longreach/authorization/can'
import type { Capability } from '@longreach/authorization/capability'
import { scopeOf, permissionsOf } from '@longreach/authorization/to-permissions'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { deviceIdsOf } from '../directory/device-number.ts'
import { policiesByIds } from '../policies/policy-store.ts'
import { generalPermissionBy } from '../roles/role-wire.ts'
import type { checkEndpoints, UserAuthorization } from './check-contract.ts'
import { deviceInSight, findDevicesInSight } from '../explanations/device-in-sight.ts'
import { changeOfPerson, rolesOf } from './impact-handlers.ts'
import { combineRights } from './impact-rules.ts'
import { requirePerson } from '../explanations/person-asked.ts'
import { rolesBeforeAndAfter } from './what-if-store.ts'

type CheckHandlers = Pick<Handlers<typeof coreContract>, keyof typeof checkEndpoints>

export const checkHandlers = ({ db }: CoreDeps): CheckHandlers => ({
  testApplicationPermissions: async ({ body: { revokedOnly, userId, ...change } }, ctx) => {
    const { organization } = ctx
    const person = await requirePerson(db, ctx, userId)
    const whatIf = await changeOfPerson(db, organization.id, person.id, change)
    const alike = await rolesBeforeAndAfter(db, organization.id, { user: person.id }, whatIf)
    const roles = await rolesOf(db, ctx, alike)
    const before = namesOf(combineRights(organization, alike[0]?.before ?? [], roles).here)
    const after = namesOf(combineRights(organization, alike[0]?.after ?? [], roles).here)
    return revokedOnly ? before.filter((name) => !after.includes(name)) : after
  },

  isAuthorized: async ({ query: { deviceId, deviceGroup, vpnName } }, ctx) => {
    if (deviceId !== undefined) {
      const device = await deviceInSight(db, ctx, deviceId)
      return onDevice(rightsAt(ctx, device.organization.id), device.groups)
    }
    if (deviceGroup !== undefined) {
      const [group] = await policiesByIds(db, ctx.organization.id, [deviceGroup])
      const { policies } = ctx.capability
      // Who is restricted to other groups does not learn of this one.
      const hidden = policies !== undefined && !policies.includes(deviceGroup)
      if (!group || hidden) throw checkedNotFound('device group', deviceGroup)
      return onDevice(ctx.capability, [deviceGroup])
    }
    return atName(ctx.capability, vpnName ?? '')
  },

  areAuthorized: async ({ body: { deviceIds } }, ctx) => {
    const asked = [...new Set(deviceIds)]
    const ids = await deviceIdsOf(db, asked)
    const seen = await findDevicesInSight(db, ctx, [...new Set(ids)])
    const answers = new Map(
      seen.map(({ id, groups, organization }) => [
        id,
        onDevice(rightsAt(ctx, organization.id), groups),
      ]),
    )
    // By what they were asked for: the id of the device, or the number of its row.
    return Object.fromEntries(
      asked.flatMap((one, place) => {
        const answer = answers.get(ids[place] ?? '')
        return answer ? [[one, answer]] : []
      }),
    )
  },
})

const checkedNotFound = (what: string, id: number | string) =>
  failure(coreContract, 'not_found', { message: `There is no ${what} ${id} in this organization` })

const namesOf = (capability: Capability) => permissionsOf(capability).map(scopeOf)

/** Of a device below only what reaches down counts. */
const rightsAt = ({ organization, capability, capabilityBelow }: OrgCtx, place: number) =>
  place === organization.id ? capability : (capabilityBelow ?? capability)

const onDevice = (capability: Capability, groups: readonly number[]): UserAuthorization => {
  const seen = canDevice(capability, 'read', groups)
  return {
    deviceGeneralPermission: generalPermissionBy((action) => canDevice(capability, action, groups)),
    vpnGeneralPermission: generalPermissionBy((action) => seen && can(capability, 'vpn', action)),
  }
}

const atName = (capability: Capability, name: string): UserAuthorization => ({
  deviceGeneralPermission: 'NONE',
  vpnGeneralPermission: generalPermissionBy((action) => canVpn(capability, action, name)),
})
