import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl'
import type { Basemap } from './basemap-shapes.ts'
import type { MapColors } from './map-colors.ts'
import type { Places } from './place-rules.ts'

/** Tiles that the installation lays over the shipped map. */
export type Tiles = {
  url: string
  archive: boolean
  /** Shapes, drawn in the portal's colours; else pictures. */
  vector: boolean
  /** Names of the layers of shapes, where they are known. */
  layers?: readonly string[]
  attribution: string
}

const font = ['Inter Variable', 'sans-serif']

type Shipped = Basemap & { places: Places }

/** The style of the map: the shipped countries and cities, and tiles where the installation has some. No `glyphs`: letters come from the page's fonts. */
export function mapStyle(
  basemap: Shipped,
  colors: MapColors,
  tiles: Tiles | undefined,
): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { type: 'geojson', data: basemap.land },
      borders: { type: 'geojson', data: basemap.borders },
      coasts: { type: 'geojson', data: basemap.coasts },
      labels: { type: 'geojson', data: basemap.labels },
      places: { type: 'geojson', data: basemap.places },
      ...(tiles && { tiles: tileSource(tiles) }),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colors.sea } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colors.land } },
      line('coasts', colors.coast, [0, 0.5, 6, 1.2]),
      line('borders', colors.border, [0, 0.4, 6, 1.4]),
      ...(tiles ? tileLayers(tiles, colors) : []),
      ...(tiles ? [] : [countryNames(colors), cityDots(colors), cityNames(colors)]),
    ],
  }
}

const line = (
  source: string,
  color: string,
  [lowZoom, thin, highZoom, thick]: [number, number, number, number],
): LayerSpecification => ({
  id: source,
  type: 'line',
  source,
  paint: {
    'line-color': color,
    'line-width': ['interpolate', ['linear'], ['zoom'], lowZoom, thin, highZoom, thick],
  },
})

/** Zoom from which cities of rank 1, 2 and 3 are shown. */
const shownCities: ExpressionSpecification = [
  '<=',
  ['get', 'rank'],
  ['step', ['zoom'], 0, 3, 1, 4.2, 2, 5.2, 3],
]

const cityDots = (colors: MapColors): LayerSpecification => ({
  id: 'city-dots',
  type: 'circle',
  source: 'places',
  filter: shownCities,
  paint: { 'circle-radius': 2, 'circle-color': colors.label },
})

const cityNames = (colors: MapColors): LayerSpecification => ({
  id: 'cities',
  type: 'symbol',
  source: 'places',
  filter: shownCities,
  layout: {
    'text-field': ['get', 'name'],
    'text-font': font,
    'text-size': ['interpolate', ['linear'], ['zoom'], 3, 10, 8, 13],
    'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
    'text-radial-offset': 0.5,
    'symbol-sort-key': ['get', 'rank'],
  },
  paint: {
    'text-color': colors.label,
    'text-halo-color': colors.halo,
    'text-halo-width': 1.2,
  },
})

/** Large countries first; small ones get their names as the map comes nearer. */
const countryNames = (colors: MapColors): LayerSpecification => ({
  id: 'names',
  type: 'symbol',
  source: 'labels',
  filter: ['>=', ['get', 'size'], ['step', ['zoom'], 250, 2, 60, 3, 12, 4, 2, 5, 0.2, 6, 0]],
  layout: {
    'text-field': ['get', 'name'],
    'text-font': font,
    'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 6, 14],
    'text-max-width': 7,
    'text-padding': 6,
    'symbol-sort-key': ['-', 0, ['get', 'size']],
  },
  paint: {
    'text-color': colors.label,
    'text-halo-color': colors.halo,
    'text-halo-width': 1.4,
  },
})

function tileSource({ url, archive, vector, attribution }: Tiles): SourceSpecification {
  const from = archive ? { url: `pmtiles://${url}` } : { tiles: [url] }
  return vector
    ? { type: 'vector', ...from, attribution, ...(!archive && { maxzoom: 14 }) }
    : { type: 'raster', ...from, attribution, ...(!archive && { tileSize: 256 }) }
}

function tileLayers(tiles: Tiles, colors: MapColors): LayerSpecification[] {
  if (!tiles.vector) return [{ id: 'tiles', type: 'raster', source: 'tiles' }]
  const has = (layer: string) => tiles.layers?.includes(layer) ?? true
  return shapeLayers(colors).filter(
    (one) => 'source-layer' in one && has(one['source-layer'] ?? ''),
  )
}

/** Layers of the two public schemes, Protomaps and OpenMapTiles. */
function shapeLayers(colors: MapColors): LayerSpecification[] {
  const fill = (layer: string, color: string): LayerSpecification => ({
    id: `tiles-${layer}`,
    type: 'fill',
    source: 'tiles',
    'source-layer': layer,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': color },
  })
  const stroke = (layer: string, color: string, width: number): LayerSpecification => ({
    id: `tiles-${layer}`,
    type: 'line',
    source: 'tiles',
    'source-layer': layer,
    paint: {
      'line-color': color,
      'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 5, width / 3, 16, width * 4],
    },
  })
  const text = (layer: string): LayerSpecification => ({
    id: `tiles-${layer}`,
    type: 'symbol',
    source: 'tiles',
    'source-layer': layer,
    layout: {
      'text-field': ['coalesce', ['get', 'name'], ''],
      'text-font': font,
      'text-size': 12,
      'text-max-width': 7,
    },
    paint: {
      'text-color': colors.label,
      'text-halo-color': colors.halo,
      'text-halo-width': 1.4,
    },
  })
  return [
    fill('earth', colors.land),
    fill('landuse', colors.green),
    fill('landcover', colors.green),
    fill('water', colors.water),
    fill('buildings', colors.border),
    fill('building', colors.border),
    stroke('roads', colors.road, 1.2),
    stroke('transportation', colors.road, 1.2),
    stroke('boundaries', colors.border, 0.8),
    stroke('boundary', colors.border, 0.8),
    text('places'),
    text('place'),
  ]
}
