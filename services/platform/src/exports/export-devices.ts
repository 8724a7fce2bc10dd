import type { OrgCtx } from '@longreach/kit/service'
import { type SqlBool, sql } from 'kysely'
import type { Device } from '../devices/device.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import { deviceFor } from '../devices/device-access.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import type { ExportQuestion } from './export-contract.ts'

/** Device to export, with its paths and patterns. */
export type AskedDevice = { id: string; paths: readonly string[] }
/** States of other parts that an export reads. */
export type ReadableStates = Pick<DevicesState, 'directory'> & { telemetry: OpenTelemetry }
export type UsedStates = { devices: DevicesState; telemetry: { open: OpenTelemetry } }
export const readableOf = ({ devices, telemetry }: UsedStates): ReadableStates => ({
  directory: devices.directory,
  telemetry: telemetry.open,
})
export type Exporting = { known: ReadableStates; deps: PlatformDeps; ctx: OrgCtx }

/** Devices of an export in their order: named ones may not exist, found ones are all visible. */
export async function askedDevices(
  { deps, ctx }: Exporting,
  { devices, paths }: ExportQuestion,
): Promise<AskedDevice[]> {
  if ('sources' in devices) {
    const byDevice = Map.groupBy(devices.sources, ({ deviceId }) => deviceId)
    return [...byDevice].map(([id, all]) => ({
      id,
      paths: [...new Set(all.map(({ modelPath }) => modelPath))],
    }))
  }
  const ids = await idsOf({ deps, ctx }, devices)
  return [...new Set(ids)].map((id) => ({ id, paths }))
}

type Choice = Exclude<ExportQuestion['devices'], { sources: unknown }>

async function idsOf({ deps, ctx }: Pick<Exporting, 'deps' | 'ctx'>, devices: Choice) {
  if ('ids' in devices) return devices.ids
  if ('group' in devices) return findGroupDevices(deps, ctx.organization.resourceId, devices.group)
  const { caller, organization, subtree } = ctx
  const { ids } = await deps.clients.mappings.devicesChosen({
    body: { caller, organization: organization.resourceId, subtree, ...devices },
  })
  return ids
}

async function findGroupDevices({ db }: PlatformDeps, org: string, group: number) {
  const rows = await db
    .selectFrom('device_state')
    .select('device_id')
    .where('deleted', '=', false)
    .where(sql<SqlBool>`${group} = any(groups)`)
    .where((where) =>
      where.or([
        where('org', '=', org),
        where('org', 'like', `${org.replaceAll(/[\\%_]/g, '\\$&')}.%`),
      ]),
    )
    .orderBy('label')
    .orderBy('device_id')
    .execute()
  return rows.map((row) => row.device_id)
}

/** The device as it is now: a named one must exist, found ones that the caller may not see are left out. */
export async function exportedDevice(
  { known: { directory }, ctx }: Exporting,
  { devices }: ExportQuestion,
  id: string,
): Promise<Device | undefined> {
  if ('ids' in devices || 'sources' in devices) return deviceFor(directory, ctx, id)
  const device = await directory.get(id)
  return device && canInSight(ctx, 'read', device) ? device : undefined
}
