import { failure } from '@longreach/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'

/** Filters by the position of devices: every point is `[latitude, longitude]`. */
export type PlaceFilters = {
  geoLocation?: readonly number[] | undefined
  /** Metres, or a text with its unit: `500m`, `10km`, `3mi`. */
  geoLocationDistance?: number | string | undefined
  geoBoundsTopLeft?: readonly number[] | undefined
  geoBoundsBottomRight?: readonly number[] | undefined
  /** With a position, or without one. */
  placed?: boolean | undefined
}

const earthM = 6_371_008.8
const units = new Map([
  ['', 1],
  ['m', 1],
  ['km', 1_000],
  ['mi', 1_609.344],
  ['ft', 0.3048],
])

/** SQL condition for the filters by position; undefined without one. */
export function placeCondition(filters: PlaceFilters): RawBuilder<boolean> | undefined {
  const parts = [near(filters), inside(filters), somewhere(filters)].filter(
    (part) => part !== undefined,
  )
  return parts.length === 0 ? undefined : sql<boolean>`(${sql.join(parts, sql` and `)})`
}

const somewhere = ({ placed }: PlaceFilters) =>
  placed === undefined
    ? undefined
    : placed
      ? sql<boolean>`(device.lat is not null and device.lon is not null)`
      : sql<boolean>`(device.lat is null or device.lon is null)`

function near({ geoLocation, geoLocationDistance }: PlaceFilters) {
  if (!geoLocation || geoLocationDistance === undefined) return undefined
  const [lat, lon] = pointOf(geoLocation, 'geoLocation')
  const metres = metresOf(geoLocationDistance)
  const degrees = (metres / earthM) * (180 / Math.PI)
  // The box around the circle has an index, but for its longitudes: they differ near the poles.
  return sql<boolean>`(device.lat between ${lat - degrees} and ${lat + degrees}
    and 2 * ${earthM}::double precision * asin(least(1, sqrt(
      power(sin(radians(device.lat - ${lat}::double precision) / 2), 2)
      + cos(radians(${lat}::double precision)) * cos(radians(device.lat))
        * power(sin(radians(device.lon - ${lon}::double precision) / 2), 2)))) <= ${metres})`
}

function inside({ geoBoundsTopLeft, geoBoundsBottomRight }: PlaceFilters) {
  if (!geoBoundsTopLeft || !geoBoundsBottomRight) return undefined
  const [top, left] = pointOf(geoBoundsTopLeft, 'geoBoundsTopLeft')
  const [bottom, right] = pointOf(geoBoundsBottomRight, 'geoBoundsBottomRight')
  // A box whose left side is east of its right side crosses the date line.
  const across =
    left <= right
      ? sql`device.lon between ${left} and ${right}`
      : sql`(device.lon >= ${left} or device.lon <= ${right})`
  return sql<boolean>`(device.lat between ${bottom} and ${top} and ${across})`
}

function pointOf(point: readonly number[], field: string): [number, number] {
  const [lat = Number.NaN, lon = Number.NaN] = point
  if (point.length === 2 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return [lat, lon]
  throw badPlace(field, 'A point is [latitude, longitude], within 90 and 180 degrees.')
}

function metresOf(distance: number | string) {
  const [, amount = '', unit = ''] = /^([\d.]+)\s*([a-z]*)$/i.exec(String(distance)) ?? []
  const metres = Number(amount) * (units.get(unit.toLowerCase()) ?? Number.NaN)
  if (amount !== '' && Number.isFinite(metres)) return metres
  throw badPlace('geoLocationDistance', 'A distance is metres, or a number with m, km, mi or ft.')
}

const badPlace = (field: string, message: string) =>
  failure(mappingsContract, 'bad_place', { message, field })
