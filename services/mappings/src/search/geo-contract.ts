import { z } from 'zod'

const Place = z.object({ lat: z.number(), lon: z.number() })
const Figures = z.object({
  count: z.int(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  avg: z.number().nullable(),
  sum: z.number(),
})
const Viewport = z.object({ bounds: z.object({ top_left: Place, bottom_right: Place }) })
const Centroid = z.object({ location: Place, count: z.int() })

/** States of a device on the map, the worst first; each device is in one of them. */
export const mapStates = ['error', 'offline', 'never', 'online'] as const

/** One of the devices of a cell; its attributes where it is the only one there. */
const Doc = z.object({
  id: z.string(),
  deviceId: z.string(),
  label: z.string(),
  connected: z.boolean(),
  orgResourceId: z.string(),
  attributes: z.record(z.string(), z.unknown()),
})

/** A cell of the map with devices in it; figures of the `statFields` stand beside under their names. */
const Bucket = z
  .object({
    /** `zoom/column/row` of a map tile, or a geohash. */
    key: z.string(),
    doc_count: z.int(),
    doc: Doc,
    connected: Figures,
    /** Devices that report an error of their configuration. */
    errors: z.int(),
    worst: z.enum(mapStates),
    states: z.record(z.enum(mapStates), z.int()),
    viewport: Viewport,
    centroid: Centroid,
  })
  .catchall(z.unknown())

/** Cells of the map, with the area and the centre of all of them. */
export const geoAggregations = {
  geogrid: z.object({
    buckets: z.array(Bucket),
    /** There are more cells than these. */ more: z.boolean(),
  }),
  viewport: Viewport.nullable(),
  centroid: Centroid.nullable(),
}
export type GeoAggregations = z.input<z.ZodObject<typeof geoAggregations>>

/** The one asked for wins: tiles when both are. */
export const geoGrid = {
  /** Zoom of the tiles that devices are counted in. */
  geoTileGridPrecision: z.int().min(0).max(26).optional(),
  /** Length of the geohashes that devices are counted in. */
  geoHashGridPrecision: z.int().min(1).max(12).optional(),
}
