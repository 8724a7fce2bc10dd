import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from './devices-state.ts'
import type { Device } from './device.ts'

/**
 * Device of an alias: a label, which one device of an organization has; else a serial
 * number or an id. What the caller may not see does not count.
 */
// oxlint-disable-next-line max-params -- which device, of what is known, for whom
export async function aliased(
  { directory }: Pick<DevicesState, 'directory'>,
  { clients }: PlatformDeps,
  ctx: OrgCtx,
  alias: string,
): Promise<Device> {
  const organization = ctx.organization.resourceId
  const found = await clients.mappings.devicesDescribed({ body: { organization, alias } })
  const seen: { device: Device; by: string; here: boolean }[] = []
  for (const { id, aliases, organization: at } of found) {
    const device = await directory.get(id)
    if (!device || !canInSight(ctx, 'read', device)) continue
    const by = aliases['label'] === alias ? 'label' : id === alias ? 'id' : 'serialNumber'
    seen.push({ device, by, here: at === organization })
  }
  const [first, second] = seen
  if (!first) throw notFound(`There is no device "${alias}" here`, alias)
  if (!second || (first.here && first.by === 'label')) return first.device
  if (first.by !== second.by || first.here !== second.here) return first.device
  throw notFound(`Several devices are called "${alias}"; ask for one by its id`, alias)
}

const notFound = (message: string, alias: string) =>
  failure(platformContract, 'not_found', { message, alias })
