import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { platformContract } from '../contract.ts'
import { canInSight } from '@longreach/authorization/device-visibility'
import { onPathOrStruct, pathTest, valueAccess } from '../devices/path-access.ts'
import { wordsInGroup } from '../devices/device.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { overviewEndpoints } from './overview-contract.ts'
import {
  type DeviceInRow,
  endingCredentials,
  failingSources,
  lostDevices,
  mostItems,
  mostWrites,
  newestWrites,
  waitingWrites,
  type WaitingRow,
  type WriteRow,
} from './overview-store.ts'

type OverviewHandlers = Pick<Handlers<typeof platformContract>, keyof typeof overviewEndpoints>

/** Handlers of the overview for a person who maintains devices: one statement for each part. */
export const overviewHandlers = (
  { directory }: DevicesState,
  { db }: PlatformDeps,
): OverviewHandlers => ({
  overview: async (_, ctx) => {
    const [lost, waiting, expiring, sources, writes] = await Promise.all([
      lostDevices(db, ctx),
      waitingWrites(db, ctx),
      endingCredentials(db, ctx),
      failingSources(db, ctx),
      newestWrites(db, ctx),
    ])
    return {
      now: ctx.now.getTime(),
      lost: someWithoutGroups(lost),
      approvals: await withPathTexts(directory, filterApprovable(ctx, waiting)),
      expiring: someWithoutGroups(expiring),
      sources: someWithoutGroups(sources),
      writes: await withPathTexts(directory, seenWrites(ctx, writes)),
    }
  },
})

/** Rows with the model's texts for their paths. */
async function withPathTexts<T extends { deviceId: string; modelPath: string }>(
  directory: DevicesState['directory'],
  rows: readonly T[],
) {
  const ids = [...new Set(rows.map(({ deviceId }) => deviceId))]
  const devices = new Map(
    await Promise.all(ids.map(async (id) => [id, await directory.get(id)] as const)),
  )
  return rows.map((row) => {
    const device = devices.get(row.deviceId)
    if (device === undefined) return row
    const { label: pathLabel, group, unit } = wordsInGroup(device, row.modelPath)
    return {
      ...row,
      ...(pathLabel !== undefined && { pathLabel }),
      ...(group !== undefined && { group }),
      ...(unit !== undefined && { unit }),
    }
  })
}

const onDevice = ({ orgResourceId: org, groups }: DeviceInRow) => ({ org, groups })

/** Row without the device's groups, which only the check of rights needs. */
function withoutGroups<T extends DeviceInRow>(row: T) {
  const { groups: _groups, ...rest } = row
  return rest
}

const someWithoutGroups = <T extends DeviceInRow>({
  total,
  items,
}: {
  total: number
  items: T[]
}) => ({
  total,
  items: items.map(withoutGroups),
})

/** Requests that the caller may decide about; programs may decide about none. */
function filterApprovable(ctx: OrgCtx, rows: readonly WaitingRow[]) {
  const { caller } = ctx
  if (caller.serviceAccount === true || caller.apiKey !== undefined) return []
  return rows
    .filter((row) => {
      const device = onDevice(row)
      const writes = pathTest(ctx, 'write', device)
      const sees = valueAccess(ctx, device).last
      return (
        canInSight(ctx, 'update', device) &&
        onPathOrStruct(writes, row.modelPath) &&
        onPathOrStruct(sees, row.modelPath)
      )
    })
    .slice(0, mostItems)
    .map(withoutGroups)
}

function seenWrites(ctx: OrgCtx, rows: readonly WriteRow[]) {
  return rows
    .filter((row) => onPathOrStruct(valueAccess(ctx, onDevice(row)).last, row.modelPath))
    .slice(0, mostWrites)
    .map(({ data, groups: _groups, ...row }) => ({
      ...row,
      from: data.from ?? null,
      to: data.to ?? null,
      status: data.status ?? 'sent',
      reason: data.reason ?? null,
      approvedBy: data.approvedBy ?? null,
    }))
}
