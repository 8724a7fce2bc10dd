import type { Feature, FeatureCollection, MultiLineString, Point, Polygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { closedRing, overDateLine } from '@longreach/ui/date-line'

type World = Topology<{ countries: GeometryCollection<{ name: string }> }>

/** Shapes from which the shipped map of the world is drawn. */
export type Basemap = {
  land: FeatureCollection<Polygon>
  borders: MultiLineString
  coasts: MultiLineString
  labels: FeatureCollection<Point, { name: string; size: number }>
}

/** Countries as single polygons, their borders, and one place for the name of each. */
export function basemapOf(world: World, language: string): Basemap {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const nameOf = ({ region, english }: CountryShape) =>
    (region === undefined ? undefined : names.of(region)) ?? english
  const shapes = countryShapes(world)
  const { countries } = world.objects
  return {
    land: {
      type: 'FeatureCollection',
      features: shapes.flatMap(({ polygons }) => polygons.map(polygonFeature)),
    },
    borders: unbroken(mesh(world, countries, (a, b) => a !== b)),
    coasts: unbroken(mesh(world, countries, (a, b) => a === b)),
    labels: {
      type: 'FeatureCollection',
      features: shapes.flatMap((shape) => labelOf(nameOf(shape), shape.polygons)),
    },
  }
}

type CountryShape = {
  /** ISO 3166 in letters; absent where the data has no number. */
  region: string | undefined
  english: string
  polygons: Position[][][]
}

/** The pieces of each country, with its code. */
export const countryShapes = (world: World): CountryShape[] =>
  feature(world, world.objects.countries).features.map(({ id, properties, geometry }) => ({
    region: regionOf(id),
    english: properties.name,
    polygons: polygonsOf(geometry),
  }))

type Shape = { type: string; coordinates?: unknown }

/** A polygon for each piece, outer rings against the clock as RFC 7946 wants them. */
function polygonsOf(geometry: Shape): Position[][][] {
  const pieces =
    geometry.type === 'Polygon'
      ? [geometry.coordinates as Position[][]] // by its type
      : geometry.type === 'MultiPolygon'
        ? (geometry.coordinates as Position[][][]) // by its type
        : []
  return pieces.map((rings) =>
    rings
      .map(closedRing)
      .map((ring, place) => (areaOf(ring) > 0 === (place === 0) ? ring : ring.toReversed())),
  )
}

const unbroken = ({ type, coordinates }: MultiLineString): MultiLineString => ({
  type,
  coordinates: coordinates.map(overDateLine),
})

const polygonFeature = (coordinates: Position[][]): Feature<Polygon> => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Polygon', coordinates },
})

/** Square degrees; positive when the ring runs against the clock. */
export function areaOf(ring: readonly Position[]) {
  let sum = 0
  for (const [place, [x = 0, y = 0]] of ring.entries()) {
    const [nextX = 0, nextY = 0] = ring[(place + 1) % ring.length] ?? []
    sum += x * nextY - nextX * y
  }
  return sum / 2
}

function labelOf(name: string, polygons: readonly Position[][][]) {
  const largest = polygons.toSorted((a, b) => areaOf(b[0] ?? []) - areaOf(a[0] ?? []))[0]
  if (!largest?.[0]) return []
  const size = areaOf(largest[0])
  const label: Feature<Point, { name: string; size: number }> = {
    type: 'Feature',
    properties: { name, size },
    geometry: { type: 'Point', coordinates: insideOf(largest[0]).map(inWorld) },
  }
  return [label]
}

/** A longitude of the world itself, not of its copy beside it; latitudes stay. */
const inWorld = (degrees: number) =>
  degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees

/** A point well inside: in the middle of the widest stretch of land among some parallels. */
function insideOf(ring: readonly Position[]): Position {
  const heights = ring.map(([, y = 0]) => y)
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  let best: { width: number; at: Position } = { width: -1, at: ring[0] ?? [0, 0] }
  for (let step = 3; step <= 7; step += 1) {
    const y = low + ((high - low) * step) / 10
    const cuts = crossings(ring, y)
    for (let place = 0; place + 1 < cuts.length; place += 2) {
      const [from = 0, to = 0] = [cuts[place], cuts[place + 1]]
      if (to - from > best.width) best = { width: to - from, at: [(from + to) / 2, y] }
    }
  }
  return best.at
}

/** Longitudes at which the ring crosses a parallel, from west to east. */
function crossings(ring: readonly Position[], y: number) {
  const found: number[] = []
  for (const [place, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = 0, y2 = 0] = ring[(place + 1) % ring.length] ?? []
    if (y1 > y !== y2 > y) found.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
  }
  return found.toSorted((a, b) => a - b)
}

/** The letters of a country from its number of ISO 3166. */
function regionOf(id: string | number | undefined) {
  if (id === undefined) return undefined
  const [region = ''] = Intl.getCanonicalLocales(`und-${String(id).padStart(3, '0')}`)
  return region.slice('und-'.length)
}
