import { canInSight } from '@longreach/authorization/device-visibility'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import { settleModels } from './rule-models.ts'
import { chainOf } from './rule-sight.ts'
import type { JudgedDevice } from './rule-store.ts'

/** Device as mappings has it; undefined for one that is not there. */
export const findDevice = ({ clients }: AlarmsDeps, deviceId: string) =>
  clients.mappings.deviceForPlatform({ params: { deviceId } }).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  })

/** Device that the caller may see; a foreign one is not found. */
export async function deviceInSight(deps: AlarmsDeps, ctx: OrgCtx, deviceId: string) {
  const device = await findDevice(deps, deviceId)
  const place = device && { org: device.orgResourceId, groups: device.groups }
  if (place && canInSight(ctx, 'read', place)) return device
  const message = `There is no device ${deviceId} in this organization.`
  throw failure(alarmsContract, 'not_found', { message, field: 'deviceId' })
}

/** Facts of a device that the caller may see, by which its rules are found. */
export async function judgedDevice(
  deps: AlarmsDeps,
  ctx: OrgCtx,
  deviceId: string,
): Promise<JudgedDevice> {
  const { orgResourceId, model } = await deviceInSight(deps, ctx, deviceId)
  const chain = chainOf(orgResourceId)
  if (model) await settleModels(deps, { chain, model: model.name })
  return { deviceId, chain, model: model?.name, modelOrganization: model?.organization ?? '' }
}
