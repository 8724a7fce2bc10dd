import { coerce } from '@longreach/device-protocol/coerce'
import type { Value as WireValue } from '@longreach/device-protocol/value'
import { failure } from '@longreach/kit/errors'
import { mapInSlices } from '@longreach/kit/time-slices'
import type { TelemetryStore } from '@longreach/telemetry/store'
import { platformContract } from '../contract.ts'
import type { Device } from '../devices/device.ts'
import type { Ingest } from '../values/ingest.ts'
import { readTime } from '../times/read-time.ts'

type BulkItem = {
  device: Device
  modelPath: string
  data: [string | number, ...unknown[]][]
}
/** Rows that are stored together. */
const atOnce = 20_000

type Row = { t: number; v: WireValue; q: number }

/** Values of the past into their series, which rules do not judge; with `ifNotExists` a time that has a value keeps it. */
export async function insertBulk(
  ingest: Ingest,
  telemetry: TelemetryStore,
  { device, modelPath, data }: BulkItem,
  ifNotExists: boolean,
): Promise<{ inserted: number; skipped: number; oldest: number }> {
  const target = device.byPath.get(modelPath)
  if (!target) {
    throw failure(platformContract, 'no_such_path', {
      message: `the configuration of ${device.id} has no path ${modelPath}`,
      field: modelPath,
    })
  }
  const bad = (index: number, why: string) =>
    failure(platformContract, 'bad_value', {
      message: `${modelPath}, row ${index}: ${why}`,
      field: modelPath,
    })
  const rowOf = ([time, raw, grade]: BulkItem['data'][number], index: number): Row => {
    const t = readTime(time, NaN)
    if (t === undefined || Number.isNaN(t)) throw bad(index, `${time} is no time`)
    const fault = ingest.timeFault(t)
    if (fault !== undefined) throw bad(index, fault)
    const coerced = coerce((raw ?? null) as WireValue | null, target.leaf.type, target.leaf.fields)
    if (!coerced.ok) throw bad(index, coerced.reason)
    if (grade !== undefined && ![0, 1, 2].includes(grade as number))
      // may be anything
      throw bad(index, 'its quality is not 0 good, 1 uncertain or 2 bad')
    return { t, v: coerced.value, q: Number(grade ?? 0) }
  }
  const rows = await mapInSlices(data, rowOf)
  const taken = ifNotExists
    ? await findStoredTimes(telemetry, device, modelPath, rows)
    : new Set<number>()
  const fresh = rows.filter(({ t }) => !taken.has(t))
  for (let from = 0; from < fresh.length; from += atOnce) {
    await Promise.all(
      fresh.slice(from, from + atOnce).map((row) => ingest.add(target, { ...row, isQuiet: true })),
    )
  }
  const oldest = fresh.reduce((t, row) => Math.min(t, row.t), Infinity)
  return { inserted: fresh.length, skipped: rows.length - fresh.length, oldest }
}

/** Times of the rows that have a value already; only these are in memory, however much is stored between them. */
async function findStoredTimes(
  telemetry: TelemetryStore,
  device: Device,
  path: string,
  rows: readonly Row[],
): Promise<Set<number>> {
  const wanted = new Set(rows.map(({ t }) => t))
  const taken = new Set<number>()
  if (rows.length === 0) return taken
  const sorted = [...wanted].toSorted((a, b) => a - b)
  const range = { since: sorted[0] ?? 0, to: (sorted.at(-1) ?? 0) + 1 }
  for (const { id, org } of await telemetry.findSeries(device.id, path)) {
    if (org !== device.org) continue
    for await (const page of telemetry.read(id, range)) {
      const had = page.filter(({ t }) => wanted.has(t))
      for (const { t } of had) taken.add(t)
    }
  }
  return taken
}
