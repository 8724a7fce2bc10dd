import type { Box } from './map-url-rules.ts'

/** The worst first, as the server ranks them. */
export const states = ['error', 'offline', 'never', 'online'] as const
export type State = (typeof states)[number]

/** Devices that are drawn as one. */
export type Cluster = {
  key: string
  count: number
  worst: State
  states: Readonly<Record<State, number>>
  lat: number
  lon: number
  extent: Box
  /** The device, when there is only one. */
  device: { id: string; label: string } | undefined
  /** Severity of the worst open alarm of them; absent without any. */
  alarm?: number
}

type Corner = { lat: number; lon: number }
export type Bucket = {
  key: string
  doc_count: number
  worst: State
  states: Readonly<Record<State, number>>
  doc: { id: string; label: string }
  centroid: { location: Corner }
  viewport: { bounds: { top_left: Corner; bottom_right: Corner } }
}

/** A cell of the server's grid as a cluster; `alarm` is the severity of the worst open alarm in it. */
export const clusterOf = (bucket: Bucket, alarm?: number): Cluster => {
  const { top_left, bottom_right } = bucket.viewport.bounds
  return {
    key: bucket.doc_count === 1 ? bucket.doc.id : bucket.key,
    count: bucket.doc_count,
    worst: bucket.worst,
    states: bucket.states,
    ...bucket.centroid.location,
    extent: extentOf(top_left, bottom_right),
    device: bucket.doc_count === 1 ? { id: bucket.doc.id, label: bucket.doc.label } : undefined,
    ...(alarm !== undefined && { alarm }),
  }
}

export const extentOf = (topLeft: Corner, bottomRight: Corner): Box => ({
  north: topLeft.lat,
  south: bottomRight.lat,
  west: topLeft.lon,
  east: bottomRight.lon,
})

/** Zoom of the tiles that devices are counted in: cells of 80 to 160 pixels. */
export const gridZoom = (zoom: number) => Math.min(24, Math.max(0, Math.floor(zoom + 2.7)))

/** Width of a drawn cluster in pixels, by its number of devices. */
export const widthOf = ({ count }: { count: number }) =>
  count === 1 ? 22 : Math.min(66, Math.round(30 + 8 * Math.log10(count)))

const tilePx = 512

/** Pixels from the left and top of the whole world. */
function pixelOf({ lat, lon }: Corner, zoom: number) {
  const world = tilePx * 2 ** zoom
  const rad = (Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180
  return {
    x: ((lon + 180) / 360) * world,
    y: ((1 - Math.asinh(Math.tan(rad)) / Math.PI) / 2) * world,
  }
}

/** Clusters that would cover each other become one: cells meet wherever the grid has its lines. */
export function apart(clusters: readonly Cluster[], zoom: number): Cluster[] {
  const largestFirst = clusters.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
  const kept: { cluster: Cluster; x: number; y: number }[] = []
  for (const cluster of largestFirst) {
    const at = pixelOf(cluster, zoom)
    const hit = kept.findIndex((one) => {
      const near = (widthOf(one.cluster) + widthOf(cluster)) / 2
      return Math.hypot(one.x - at.x, one.y - at.y) < near * 0.8
    })
    const other = kept[hit]
    if (other === undefined) kept.push({ cluster, ...at })
    else {
      const both = merged(other.cluster, cluster)
      kept[hit] = { cluster: both, ...pixelOf(both, zoom) }
    }
  }
  return kept.map(({ cluster }) => cluster)
}

function merged(a: Cluster, b: Cluster): Cluster {
  const count = a.count + b.count
  const mean = (x: number, y: number) => (x * a.count + y * b.count) / count
  const sum = (state: State) => a.states[state] + b.states[state]
  const all = {
    error: sum('error'),
    offline: sum('offline'),
    never: sum('never'),
    online: sum('online'),
  }
  const alarms = [a.alarm, b.alarm].filter((one) => one !== undefined)
  return {
    ...(alarms.length > 0 && { alarm: Math.max(...alarms) }),
    key: a.count === 1 ? `${a.key}+` : a.key,
    count,
    worst: states.find((state) => all[state] > 0) ?? 'online',
    states: all,
    lat: mean(a.lat, b.lat),
    lon: mean(a.lon, b.lon),
    extent: {
      north: Math.max(a.extent.north, b.extent.north),
      south: Math.min(a.extent.south, b.extent.south),
      west: Math.min(a.extent.west, b.extent.west),
      east: Math.max(a.extent.east, b.extent.east),
    },
    device: undefined,
  }
}

type Facts = {
  connected: boolean
  configurationError?: string | null | undefined
  lastConnUpdateAt: number
}

/** State of one device, by the server's rule. */
export function stateOf({ connected, configurationError, lastConnUpdateAt }: Facts): State {
  // An error may be an empty text: there it is one all the same.
  if (configurationError !== null && configurationError !== undefined) return 'error'
  if (connected) return 'online'
  return lastConnUpdateAt === 0 ? 'never' : 'offline'
}
