import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { platformContract } from '../contract.ts'
import { type Device, wordsOf } from '../devices/device.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import { pathTest, valueAccess } from '../devices/path-access.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import { lastValues } from '../devices/last-values.ts'
import type { valueSearchEndpoints } from './value-search-contract.ts'

type SearchHandlers = Pick<Handlers<typeof platformContract>, keyof typeof valueSearchEndpoints>
/** So many are looked through for those that the caller may see. */
const mostCandidates = 1_000
/** Newest values of more than these are not looked up. */
const mostNewest = 20

/** Finds values that the caller may see by words of their path. */
export const valueSearchHandlers = (
  { directory }: DevicesState,
  telemetry: OpenTelemetry,
): SearchHandlers => ({
  searchValues: async ({ query: { search, limit, newest, writable } }, ctx) => {
    const { organization, below } = ctx
    const candidates = await withStorageErrors(async () =>
      (await telemetry()).searchSeries({
        org: organization.resourceId,
        below: below && ctx.subtree,
        words: search.split(/[\s/]+/).filter(Boolean),
        limit: mostCandidates,
      }),
    )
    const found = []
    for (const { device: id, path, type } of candidates) {
      if (found.length >= limit) break
      const device = await directory.get(id)
      if (!device || !sees(ctx, device, path)) continue
      if (writable && !mayWrite(ctx, device, path)) continue
      found.push({
        deviceId: id,
        deviceLabel: device.label,
        orgResourceId: device.org,
        modelPath: path,
        type: device.byPath.get(path)?.leaf.type ?? type,
        ...wordsOf(device, path),
        ...(newest && found.length < mostNewest && (await findNewest(telemetry, device, path))),
      })
    }
    return found
  },
})

type Seen = Parameters<typeof valueAccess>[1] & { org: string }
/** The path may be written by the caller, and takes values at all. */
const mayWrite = (ctx: OrgCtx, device: Device, path: string) =>
  device.byPath.get(path)?.leaf.mode === 'RW' &&
  canInSight(ctx, 'update', device) &&
  pathTest(ctx, 'write', device)(path)

async function findNewest(telemetry: OpenTelemetry, device: Device, path: string) {
  const target = device.byPath.get(path)
  if (!target) return {}
  const last = await withStorageErrors(async () => lastValues(await telemetry(), device, [target]))
  const point = last.get(target)
  return point && { last: { t: point.t, v: point.v } }
}

const sees = (ctx: OrgCtx, device: Seen, path: string) =>
  canInSight(ctx, 'read', device) && valueAccess(ctx, device).last(path)
