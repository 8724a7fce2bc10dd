import type { Point } from '@longreach/telemetry/store'
import type { DeviceRules, Target } from '../devices/device.ts'
import { lastValues } from '../devices/last-values.ts'
import { findInputSeries } from '../formulas/formula-values.ts'
import type { NewestReading } from './rule-reading.ts'

/**
 * Newest values of the paths of rules, without those that wait to be judged. A value that waits and is late does not
 * hide newer ones: these were judged.
 */
export async function newestWithoutWaiting(
  telemetry: NewestReading,
  of: DeviceRules,
): Promise<Map<Target, Point>> {
  const targets = of.anyArrival.length > 0 ? [...of.device.byPath.values()] : of.targets
  const newest = await lastValues(telemetry, of.device, targets)
  for (;;) {
    const [clash] = clashesOf(of, newest)
    if (!clash) return newest
    const before = await newestOther(telemetry, of, clash)
    if (before) newest.set(clash.target, before)
    else newest.delete(clash.target)
  }
}

type Clash = { target: Target; times: ReadonlySet<number> }

/** Paths whose newest value waits, with the times of all of theirs that wait. */
function clashesOf({ waiting }: DeviceRules, newest: ReadonlyMap<Target, Point>): Clash[] {
  const byTarget = Map.groupBy(waiting, ({ target }) => target)
  return [...byTarget].flatMap(([target, all]) => {
    const times = new Set(all.map(({ point }) => point.t))
    const last = newest.get(target)
    return last && times.has(last.t) ? [{ target, times }] : []
  })
}

/** Newest value of a path at another time; undefined without one, or without history. */
async function newestOther(
  telemetry: NewestReading,
  { device }: DeviceRules,
  { target, times }: Clash,
) {
  const series = target.leaf.history && (await findInputSeries(telemetry, device, { target }))
  if (!series) return undefined
  const range = { since: Number.MIN_SAFE_INTEGER, to: Math.max(...times), limit: times.size + 1 }
  for await (const page of telemetry.read(series.id, { ...range, order: 'desc' })) {
    const found = page.find(({ t }) => !times.has(t))
    if (found) return found
  }
  return undefined
}
