import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import { statColumns, type StatRow, statsIn } from './device-aggregations.ts'
import { geohash, hashBits, tileKey } from './geo-cells.ts'
import { type GeoAggregations, mapStates } from './geo-contract.ts'

type Asked = {
  geoTileGridPrecision?: number | undefined
  geoHashGridPrecision?: number | undefined
  statFields?: string[] | undefined
}

/** More cells than a screen can show. */
const mostCells = 10_000

type Cell = StatRow & {
  cell_x: number
  cell_y: number
  devices: number
  online: number
  worst: number
  ranked_error: number
  ranked_offline: number
  ranked_never: number
  north: number
  south: number
  west: number
  east: number
  lat: number
  lon: number
  first: string
}

/** Devices that match, counted in cells of the map; undefined when no grid is asked for. */
export async function geoGridOf(
  db: Kysely<MappingsDb>,
  where: RawBuilder<boolean>,
  asked: Asked,
): Promise<GeoAggregations | undefined> {
  const grid = gridOf(asked)
  if (!grid) return undefined
  const { statFields = [] } = asked
  const rows = await cellsOf(db, where, { ...grid, statFields })
  const cells = rows.slice(0, mostCells)
  const docs = await docsOf(db, cells)
  const buckets = cells.flatMap((cell) => {
    const doc = docs.get(cell.first)
    // One that was deleted between the two questions is not on the map.
    if (!doc) return []
    return [
      {
        ...statsIn(cell, statFields),
        key: grid.keyOf(cell.cell_x, cell.cell_y),
        doc_count: cell.devices,
        doc: { ...doc, attributes: cell.devices === 1 ? doc.attributes : {} },
        connected: figuresOf(cell),
        errors: cell.ranked_error,
        worst: mapStates[cell.worst] ?? 'online',
        states: statesOf(cell),
        ...extentOf(cell),
      },
    ]
  })
  const whole = wholeOf(rows)
  return {
    geogrid: { buckets, more: rows.length > mostCells },
    viewport: whole?.viewport ?? null,
    centroid: whole?.centroid ?? null,
  }
}

type Grid = {
  x: RawBuilder<number>
  y: RawBuilder<number>
  keyOf: (x: number, y: number) => string
}

function gridOf({
  geoTileGridPrecision: zoom,
  geoHashGridPrecision: length,
}: Asked): Grid | undefined {
  if (zoom !== undefined) {
    return {
      x: column(sql`device.map_x`, 2 ** zoom),
      y: column(sql`device.map_y`, 2 ** zoom),
      keyOf: (x, y) => tileKey(x, y, zoom),
    }
  }
  if (length === undefined) return undefined
  const { lon, lat } = hashBits(length)
  return {
    x: column(sql`(device.lon + 180) / 360`, 2 ** lon),
    y: column(sql`(device.lat + 90) / 180`, 2 ** lat),
    keyOf: (x, y) => geohash(x, y, length),
  }
}

/** The place from 0 to 1 as one of so many columns; the far edge belongs to the last. */
const column = (place: RawBuilder<unknown>, count: number): RawBuilder<number> =>
  sql<number>`least(greatest(floor((${place}) * ${count}::double precision), 0), ${count - 1})::int`

/**
 * The planner takes each device for a cell of its own, so by itself it would sort them on disk
 * instead of counting them in memory from the index (100,000 devices: 240 ms against 45 ms).
 * On two cores parallel workers save no time and take both of them from everybody else.
 */
const settings = sql`select set_config('work_mem', '64MB', true),
  set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true),
  set_config('max_parallel_workers_per_gather', '0', true)`

const cellsOf = (db: Kysely<MappingsDb>, where: RawBuilder<boolean>, grid: Wanted) =>
  db.transaction().execute(async (tx) => {
    await settings.execute(tx)
    return countCells(tx, where, grid)
  })

type Wanted = Grid & { statFields: string[] }

function countCells(
  db: Kysely<MappingsDb>,
  where: RawBuilder<boolean>,
  { x, y, statFields }: Wanted,
) {
  return db
    .selectFrom('device')
    .$if(statFields.length > 0, (query) =>
      query.leftJoin('preset', 'preset.id', 'device.preset_id'),
    )
    .select([
      x.as('cell_x'),
      y.as('cell_y'),
      sql<number>`count(*)`.as('devices'),
      sql<number>`count(*) filter (where device.connected)`.as('online'),
      sql<number>`min(device.state_rank)`.as('worst'),
      sql<number>`count(*) filter (where device.state_rank = 0)`.as('ranked_error'),
      sql<number>`count(*) filter (where device.state_rank = 1)`.as('ranked_offline'),
      sql<number>`count(*) filter (where device.state_rank = 2)`.as('ranked_never'),
      sql<number>`max(device.lat)`.as('north'),
      sql<number>`min(device.lat)`.as('south'),
      sql<number>`min(device.lon)`.as('west'),
      sql<number>`max(device.lon)`.as('east'),
      sql<number>`avg(device.lat)`.as('lat'),
      sql<number>`avg(device.lon)`.as('lon'),
      // Any of them will do: comparing bytes is quick.
      sql<string>`min(device.id collate "C")`.as('first'),
      ...statColumns(statFields),
    ])
    .where(where)
    .where(
      sql<boolean>`device.deleted_at is null and device.lat is not null and device.lon is not null`,
    )
    .groupBy([sql`1`, sql`2`])
    .orderBy(sql`3`, 'desc')
    .orderBy(sql`1`)
    .orderBy(sql`2`)
    .limit(mostCells + 1)
    .execute() as Promise<Cell[]> // the figures of statFields are named when it runs
}

async function docsOf(db: Kysely<MappingsDb>, cells: readonly Cell[]) {
  const ids = cells.map(({ first }) => first)
  const rows = await db
    .selectFrom('device')
    .select(['id', 'label', 'connected', 'organization', 'attributes'])
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute()
  return new Map(
    rows.map(({ id, label, connected, organization, attributes }) => [
      id,
      {
        id,
        deviceId: id,
        label,
        connected,
        orgResourceId: organization,
        attributes,
      },
    ]),
  )
}

const statesOf = ({ devices, ranked_error, ranked_offline, ranked_never }: Cell) => ({
  error: ranked_error,
  offline: ranked_offline,
  never: ranked_never,
  online: devices - ranked_error - ranked_offline - ranked_never,
})

const figuresOf = ({ devices, online }: Cell) => ({
  count: devices,
  min: online === devices ? 1 : 0,
  max: online > 0 ? 1 : 0,
  avg: online / devices,
  sum: online,
})

type Extent = Pick<Cell, 'north' | 'south' | 'west' | 'east' | 'lat' | 'lon' | 'devices'>

const extentOf = ({ north, south, west, east, lat, lon, devices }: Extent) => ({
  viewport: {
    bounds: { top_left: { lat: north, lon: west }, bottom_right: { lat: south, lon: east } },
  },
  centroid: { location: { lat, lon }, count: devices },
})

/** What all cells cover together. */
function wholeOf(cells: readonly Cell[]) {
  const [first] = cells
  if (!first) return undefined
  let whole: Extent = first
  for (const cell of cells.slice(1)) {
    const devices = whole.devices + cell.devices
    const mean = (a: number, b: number) => (a * whole.devices + b * cell.devices) / devices
    whole = {
      north: Math.max(whole.north, cell.north),
      south: Math.min(whole.south, cell.south),
      west: Math.min(whole.west, cell.west),
      east: Math.max(whole.east, cell.east),
      lat: mean(whole.lat, cell.lat),
      lon: mean(whole.lon, cell.lon),
      devices,
    }
  }
  return extentOf(whole)
}
