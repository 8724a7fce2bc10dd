import type { Point, TelemetryStore } from '@longreach/telemetry/store'
import { type Device, seriesTypeOf, type Target } from './device.ts'

type Newest = Pick<TelemetryStore, 'trust' | 'findSeries' | 'last'>

/** The newest value of each of the targets, from memory where it is there. */
export async function lastValues(
  telemetry: Newest,
  device: Device,
  targets: readonly Target[],
): Promise<Map<Target, Point>> {
  dropDoubtful(telemetry, device, targets)
  const missing = targets.filter(({ last }) => !last)
  if (missing.length > 0) {
    const stored = await telemetry.findSeries(device.id)
    const ids = new Map(
      stored
        .filter(({ org }) => org === device.org)
        .map((one) => [`${one.type} ${one.path}`, one.id]),
    )
    const known = missing.flatMap((target) => {
      const id = ids.get(`${seriesTypeOf(target.leaf)} ${target.leaf.path}`)
      return id === undefined ? [] : [{ target, id }]
    })
    const points = await telemetry.last(known.map(({ id }) => id))
    for (const [index, { target }] of known.entries()) {
      const point = points[index]
      // A value that came meanwhile is newer.
      if (point) target.last ??= point
    }
  }
  return new Map(targets.flatMap((target) => (target.last ? [[target, target.last] as const] : [])))
}

/** Forgets newest values when another process may have written newer ones, and while it does. */
function dropDoubtful(
  telemetry: Pick<TelemetryStore, 'trust'>,
  device: Device,
  targets: readonly Target[],
) {
  const trust = telemetry.trust()
  if (trust !== undefined && device.trust === trust) return
  for (const target of [...device.byPath.values(), ...targets]) delete target.last
  device.trust = trust
}
