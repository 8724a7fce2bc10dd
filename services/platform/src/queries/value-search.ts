import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { platformContract } from '../contract.ts'
import { wordsOf } from '../devices/device.ts'
import { may } from '../devices/device-access.ts'
import { valueAccess } from '../path-access.ts'
import type { Runtime } from '../runtime.ts'
import { stored } from '../storage-fault.ts'
import type { valueSearchEndpoints } from './value-search-contract.ts'

type SearchHandlers = Pick<Handlers<typeof platformContract>, keyof typeof valueSearchEndpoints>
/** So many are looked through for those that the caller may see. */
const mostCandidates = 1_000

/** Finds values that the caller may see by words of their path. */
export const valueSearchHandlers = ({ directory, telemetry }: Runtime): SearchHandlers => ({
  searchValues: async ({ query: { search, limit } }, ctx) => {
    const { organization, below } = ctx
    const candidates = await stored(async () =>
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
      found.push({
        deviceId: id,
        deviceLabel: device.label,
        orgResourceId: device.org,
        modelPath: path,
        type: device.byPath.get(path)?.leaf.type ?? type,
        ...wordsOf(device, path),
      })
    }
    return found
  },
})

type Seen = Parameters<typeof valueAccess>[1] & { org: string }
const sees = (ctx: OrgCtx, device: Seen, path: string) =>
  may(ctx, 'read', device) && valueAccess(ctx, device).last(path)
