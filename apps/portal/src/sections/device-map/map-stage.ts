import 'maplibre-gl/dist/maplibre-gl.css'
import {
  addProtocol,
  Map as WorldMap,
  Marker,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl/dist/maplibre-gl-csp.js'
import worker from 'maplibre-gl/dist/maplibre-gl-csp-worker.js?url'
import type { Cluster } from './cluster-rules.ts'
import type { StyleSpecification } from 'maplibre-gl'
import { type Box, nearest, type Place } from './map-url-rules.ts'
import { roomIn } from './map-room.ts'

export type View = Place & { box: Box }
type Told = {
  onView: (view: View) => void
  onReady: () => void
  onOpen: (cluster: Cluster) => void
  onHover: (cluster: Cluster | undefined) => void
  onMoved: (cluster: Cluster, to: { lat: number; lon: number }) => void
}
type Options = Told & {
  style: StyleSpecification
  place: Place
  /** Looked at as a whole in place of it. */
  whole: Box | undefined
  /** Name of the map for assistive software. */
  label: string
  /** Zoom level up to which the map has details; it does not zoom farther by itself. */
  carries: number
}
export type Stage = ReturnType<typeof openStage>

let started = false

/** Libraries that draw need their worker from this host, and the reader of archives where one is used. */
async function start(archive: boolean) {
  if (!started) setWorkerUrl(worker)
  started = true
  if (!archive) return
  const { Protocol } = await import('pmtiles')
  addProtocol('pmtiles', new Protocol().tile)
}

export async function stageIn(container: HTMLElement, options: Options, archive: boolean) {
  await start(archive)
  return openStage(container, options)
}

/** The map itself, outside of React: what it shows is set, what a person does with it is told. */
function openStage(
  container: HTMLElement,
  { style, place, whole, label, carries, ...told }: Options,
) {
  const map = new WorldMap({
    container,
    style,
    center: [place.lon, place.lat],
    zoom: place.zoom,
    ...(whole && {
      bounds: cornersOf(whole),
      fitBoundsOptions: { padding: roomIn(container.clientWidth), maxZoom: carries },
    }),
    maxZoom: nearest + 1,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: 0,
    locale: { 'Map.Title': label },
  })
  map.addControl(new ScaleControl({ maxWidth: 90 }), 'bottom-right')
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  const tell = () => told.onView(viewOf(map))
  map.on('moveend', tell)
  // What stands in view is asked for while the countries are still being drawn.
  queueMicrotask(tell)
  void map.once('load', () => {
    tell()
    told.onReady()
  })
  const markers = markersOn(map, told)
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    show: markers.show,
    select: markers.select,
    style: (next: StyleSpecification) => map.setStyle(next),
    go: ({ lat, lon, zoom }: Place) =>
      map.easeTo({ center: [lon, lat], zoom, duration: still ? 0 : 450 }),
    /** Zoom level, at least, for a device that is chosen. */
    near: Math.min(9, carries),
    fit: (box: Box, most = Math.min(12, carries)) =>
      map.fitBounds(cornersOf(box), {
        padding: roomIn(container.clientWidth),
        maxZoom: most,
        duration: still ? 0 : 450,
      }),
    zoomBy: (steps: number) => map.zoomTo(map.getZoom() + steps, { duration: still ? 0 : 250 }),
    pixelOf: ({ lat, lon }: { lat: number; lon: number }) => map.project([lon, lat]),
    resize: () => map.resize(),
    close: () => map.remove(),
  }
}

/** South-west and north-east, as the map takes them. */
const cornersOf = ({ north, south, west, east }: Box): [[number, number], [number, number]] => [
  [west, Math.max(-85, south)],
  [east < west ? east + 360 : east, Math.min(85, north)],
]

function viewOf(map: WorldMap): View {
  const { lat, lng: lon } = map.getCenter()
  const bounds = map.getBounds()
  const box = {
    north: bounds.getNorth(),
    south: bounds.getSouth(),
    west: bounds.getWest(),
    east: bounds.getEast(),
  }
  return { lat, lon, zoom: map.getZoom(), box }
}

type Drawn = { marker: Marker; print: string }
/** Functions that draw a cluster: the stage moves elements, it does not make them. */
type Drawing = {
  draw: (cluster: Cluster) => HTMLElement
  /** Single devices can be dragged to another place. */
  movable: boolean
}

/** The markers on the map: those that stay are kept, so that nothing flickers as the map is moved. */
function markersOn(map: WorldMap, told: Told) {
  const drawn = new Map<string, Drawn>()
  let halo: Marker | undefined
  const put = (cluster: Cluster, { draw, movable }: Drawing) => {
    const element = draw(cluster)
    const draggable = movable && cluster.device !== undefined
    element.toggleAttribute('data-movable', draggable)
    element.addEventListener('click', (event) => {
      event.stopPropagation()
      told.onHover(undefined)
      told.onOpen(cluster)
    })
    element.addEventListener('pointerenter', () => told.onHover(cluster))
    element.addEventListener('pointerleave', () => told.onHover(undefined))
    const marker = new Marker({ element, draggable }).setLngLat([cluster.lon, cluster.lat])
    marker.on('dragend', () => {
      const { lat, lng } = marker.getLngLat().wrap()
      told.onMoved(cluster, { lat, lon: lng })
    })
    return marker.addTo(map)
  }
  return {
    show(clusters: readonly Cluster[], drawing: Drawing) {
      const gone = new Set(drawn.keys())
      for (const cluster of clusters) {
        const print = JSON.stringify([cluster, drawing.movable])
        gone.delete(cluster.key)
        const before = drawn.get(cluster.key)
        if (before?.print === print) continue
        before?.marker.remove()
        drawn.set(cluster.key, { marker: put(cluster, drawing), print })
      }
      for (const key of gone) {
        drawn.get(key)?.marker.remove()
        drawn.delete(key)
      }
    },
    select(at: { lat: number; lon: number } | undefined, element: HTMLElement) {
      halo?.remove()
      halo = at && new Marker({ element }).setLngLat([at.lon, at.lat]).addTo(map)
    },
  }
}
