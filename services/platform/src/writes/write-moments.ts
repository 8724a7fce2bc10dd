import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { Device, Target } from '../devices/device.ts'
import { shortenValue } from '../devices/device-log.ts'
import { insertMoments, type MomentDb } from '../moments/moment-store.ts'
import type { Known } from './known.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import { lastValues } from '../devices/last-values.ts'

type Wish = { modelPath: string; v?: unknown }
type Written = { modelPath: string; status: string }

/** Present values by path; the value of a struct's field is taken from the struct. */
export async function valuesBefore(
  { telemetry }: Pick<Known, 'telemetry'>,
  device: Device,
  wishes: readonly Wish[],
): Promise<ReadonlyMap<string, unknown>> {
  const targets = wishes.flatMap(({ modelPath }) => holderOf(device, modelPath) ?? [])
  const last = await withStorageErrors(async () =>
    lastValues(await telemetry(), device, [...new Set(targets)]),
  )
  return new Map(
    wishes.flatMap(({ modelPath }) => {
      const target = holderOf(device, modelPath)
      const point = target && last.get(target)
      if (!target || !point) return []
      if (target.leaf.path === modelPath) return [[modelPath, point.v] as const]
      const field = modelPath.slice(target.leaf.path.length + 1)
      return [[modelPath, (point.v as Record<string, unknown> | null)?.[field]] as const]
    }),
  )
}

const holderOf = ({ byPath }: Device, path: string): Target | undefined =>
  byPath.get(path) ?? byPath.get(path.slice(0, Math.max(0, path.lastIndexOf('/'))))

type Writing = {
  wishes: readonly Wish[]
  before: ReadonlyMap<string, unknown>
  written: readonly Written[]
  /** Reason, in the words of the person who wrote. */
  reason?: string | undefined
  /** Dashboard and its node that the value was written from. */
  origin?: object | undefined
  /** Person who requested it, where another person approved it. */
  asked?: { by: string; sub: string; reason: string | undefined }
  approvedBy?: string
}

/** Put on the device's time-line who wrote what, what was there, and whether the device confirmed. */
export function recordWrites(
  db: Kysely<MomentDb>,
  ctx: OrgCtx,
  device: Device,
  { wishes, before, written, reason, origin, asked, approvedBy }: Writing,
) {
  const why = reason ?? asked?.reason
  const moments = wishes.map(({ modelPath, v }, index) => ({
    device_id: device.id,
    org: device.org,
    at: ctx.now,
    kind: 'write',
    path: modelPath,
    by_name: asked?.by ?? ctx.caller.username,
    by_sub: asked?.sub ?? ctx.caller.sub,
    made_at: ctx.now,
    data: {
      from: shortenValue(before.get(modelPath) ?? null),
      to: shortenValue(v ?? null),
      status: written[index]?.status ?? 'sent',
      ...(why !== undefined && { reason: why }),
      ...(origin !== undefined && { origin }),
      ...(approvedBy !== undefined && { approvedBy }),
    },
  }))
  return insertMoments(db, moments)
}
