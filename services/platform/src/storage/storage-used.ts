import type { OrgCtx } from '@longreach/kit/service'
import type { Usage } from '@longreach/telemetry/store'
import { canInSight, isInSight } from '@longreach/authorization/device-visibility'
import { devicesHolding } from './retention-store.ts'
import type { Amounts } from './storage-contract.ts'
import type { StorageDeps } from './retention-run.ts'

const mostDevices = 500

/** Stored amounts of the organization and those below; devices that the caller may not read have no name. */
export async function storageOf({ db, telemetry }: StorageDeps, ctx: OrgCtx) {
  const scope = { org: ctx.organization.resourceId, below: ctx.below }
  const store = await telemetry()
  const all = await store.usage({ ...scope, by: 'device' })
  const byDevice = all.filter(({ org }) => isInSight(ctx, org))
  const byOrganization = Map.groupBy(byDevice, ({ org }) => org)
  const facts = await devicesHolding(
    db,
    byDevice.map(({ device }) => device),
  )
  const readable = new Map(
    facts
      .filter((device) => canInSight(ctx, 'read', device))
      .map((device) => [device.device_id, device]),
  )
  const named = byDevice.filter(({ device }) => readable.has(device)).slice(0, mostDevices)
  const inList = new Set(named)
  const others = byDevice.filter((row) => !inList.has(row))
  return {
    at: ctx.now.getTime(),
    total: amountsOf(byDevice),
    organizations: [...byOrganization]
      .map(([organization, rows]) => ({ organization, ...amountsOf(rows) }))
      .toSorted((a, b) => b.bytes - a.bytes),
    devices: named.map((row) => ({
      deviceId: row.device,
      label: readable.get(row.device)?.label ?? '',
      organization: row.org,
      deleted: readable.get(row.device)?.deleted ?? false,
      ...amountsOf([row]),
    })),
    others: {
      devices: new Set(others.map(({ device }) => device)).size,
      values: sumOf(others, 'values'),
      bytes: sumOf(others, 'bytes'),
    },
  }
}

const sumOf = (rows: readonly Usage[], of: 'values' | 'bytes' | 'valuesPerDay' | 'bytesPerDay') =>
  rows.reduce((sum, row) => sum + row[of], 0)

/** Several rows as one. */
export const amountsOf = (rows: readonly Usage[]): Amounts => ({
  values: sumOf(rows, 'values'),
  bytes: sumOf(rows, 'bytes'),
  valuesPerDay: sumOf(rows, 'valuesPerDay'),
  bytesPerDay: sumOf(rows, 'bytesPerDay'),
  oldest: rows.reduce<number | null>((at, row) => Math.min(at ?? Infinity, row.oldest), null),
  newest: rows.reduce<number | null>((at, row) => Math.max(at ?? -Infinity, row.newest), null),
})
