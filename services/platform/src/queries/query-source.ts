import { createTimeSlicer } from '@longreach/kit/time-slices'
import type { Point, Series, SeriesType, TelemetryStore } from '@longreach/telemetry/store'
import { type Device, seriesTypeOf } from '../devices/device.ts'
import { onPathOrStruct, type ValueAccess } from '../devices/path-access.ts'
import { pathMatches } from './path-patterns.ts'

export type Source = {
  device: Device
  modelPath: string
  tagName?: string | undefined
  /** Paths whose values are shown, and those of which the past is shown. */
  access: ValueAccess
}

/** The series of a path, or of a struct's field: the struct's series, and which field of it. */
export type Found = Source & {
  series: Series
  type: SeriesType
  field?: string
  /** False: the caller sees only what is now. */
  past: boolean
}

/** Series that one question may be about. */
export const mostSeries = 10_000

/** The series of the sources that the caller may see, in the order of the query; `undefined` beyond `mostSeries`. */
export async function findSources(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  signal?: AbortSignal,
): Promise<Found[] | undefined> {
  const found: Found[] = []
  const known = new Map<string, Series[]>()
  const turn = createTimeSlicer()
  for (const source of sources) {
    const { device } = source
    if (turn.isLong()) await turn.next()
    signal?.throwIfAborted()
    const own = known.get(device.id) ?? (await findDeviceSeries(telemetry, device))
    known.set(device.id, own)
    found.push(...find(source, own))
    if (found.length > mostSeries) return undefined
  }
  return found
}

const findDeviceSeries = async (telemetry: TelemetryStore, { id, org }: Device) =>
  (await telemetry.findSeries(id)).filter((series) => series.org === org)

function find(source: Source, own: readonly Series[]): Found[] {
  const { device, modelPath, access } = source
  const found: Found[] = own
    .filter(({ path }) => pathMatches(modelPath, path) && access.last(path))
    .map((series) => ({ ...source, ...inFull(series, access), modelPath: series.path }))
  if (found.length > 0 || modelPath.includes('*')) return found
  if (!onPathOrStruct(access.last, modelPath)) return []
  const at = modelPath.lastIndexOf('/')
  const field = modelPath.slice(at + 1)
  const struct = own.find(({ path, type }) => type === 'json' && path === modelPath.slice(0, at))
  const past = onPathOrStruct(access.past, modelPath)
  return struct
    ? [{ ...source, series: struct, type: fieldType(device, struct, field), field, past }]
    : []
}

const inFull = (series: Series, { past }: ValueAccess) => ({
  series,
  type: series.type,
  past: past(series.path),
})

/** Type of a struct's field; `json`, which may be anything, for a field that the model no longer has. */
function fieldType({ byPath }: Device, { path }: Series, field: string): SeriesType {
  const type = byPath.get(path)?.leaf.fields?.[field]
  return type ? seriesTypeOf({ type }) : 'json'
}

/** The field's values out of those of its struct. */
export function fieldOf(points: Point[], field: string | undefined): Point[] {
  if (field === undefined) return points
  return points.flatMap(({ t, v, q }) => {
    const value = isStruct(v) && Object.hasOwn(v, field) ? v[field] : undefined
    return value === undefined ? [] : [{ t, v: value as Point['v'], q }]
  })
}

/** A struct's value with these fields only; other values stay. */
export function withFields(v: unknown, fields: ReadonlySet<string>): unknown {
  if (!isStruct(v)) return v
  return Object.fromEntries(Object.entries(v).filter(([name]) => fields.has(name)))
}

export const isStruct = (v: unknown): v is Record<string, unknown> =>
  typeof v === 'object' && v !== null && !Array.isArray(v)
