import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import type { Target } from '../devices/device.ts'
import { lastValues } from '../devices/last-values.ts'
import { findInputSeries } from '../formulas/formula-values.ts'
import type { DeviceRules } from './judged.ts'

/** Newest values of the paths of rules, of those of which values wait the one before these. */
export async function newestBeforeWaiting(
  telemetry: TelemetryStore,
  of: DeviceRules,
): Promise<Map<Target, Point>> {
  const targets = of.anyArrival.length > 0 ? [...of.device.byPath.values()] : of.targets
  const newest = await lastValues(telemetry, of.device, targets)
  for (;;) {
    const [clash] = clashesOf(of, newest)
    if (!clash) return newest
    const before = await valueBefore(telemetry, of, clash)
    if (before) newest.set(clash.target, before)
    else newest.delete(clash.target)
  }
}

type Clash = { target: Target; first: number }

/** Paths whose newest value is one that waits, or a later one, with the time of the first that waits. */
function clashesOf({ waiting }: DeviceRules, newest: ReadonlyMap<Target, Point>): Clash[] {
  const firsts = new Map<Target, number>()
  for (const { target, point } of waiting) {
    firsts.set(target, Math.min(point.t, firsts.get(target) ?? Infinity))
  }
  return [...firsts].flatMap(([target, first]) =>
    (newest.get(target)?.t ?? -Infinity) >= first ? [{ target, first }] : [],
  )
}

/** Newest value of a path before a time; undefined without one, or without history. */
async function valueBefore(
  telemetry: TelemetryStore,
  { device }: DeviceRules,
  { target, first }: Clash,
) {
  const series = target.leaf.history && (await findInputSeries(telemetry, device, { target }))
  if (!series) return undefined
  const range = { since: Number.MIN_SAFE_INTEGER, to: first, limit: 1 }
  for await (const [point] of telemetry.read(series.id, { ...range, order: 'desc' })) {
    if (point) return point
  }
  return undefined
}
