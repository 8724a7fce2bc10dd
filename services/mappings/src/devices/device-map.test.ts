import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const query = { organization: 'nordwerk.service' }
const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)

const places: Record<string, [number, number]> = {
  bern: [46.95, 7.44],
  thun: [46.76, 7.63],
  zuerich: [47.37, 8.54],
  fiji: [-17.8, 178.1],
  pole: [90, 180],
}
beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  for (const [label, [lat, lon]] of Object.entries(places)) {
    await as('administrator').createDevice({ query, body: { label, position: { lat, lon } } })
  }
  await as('administrator').createDevice({ query, body: { label: 'nowhere' } })
  const { db } = server.database
  await sql`update mappings.device set connected = true where label = 'bern'`.execute(db)
  await sql`update mappings.device set configuration_error = 'no' where label = 'thun'`.execute(db)
})
afterAll(() => server.close())

const ask = async (body: object, who: keyof Seeded['people'] = 'viewer') => {
  const asked = { query, body: { page: 0, pageSize: 1, ...body } }
  return (await as(who).searchDevices(asked)).aggregations
}

/** The tile of a place by the formula that maps are divided by. */
function tileOf([lat, lon]: readonly number[] = [], zoom: number) {
  const tiles = 2 ** zoom
  const rad = (Math.min(85.0511287798, lat ?? 0) * Math.PI) / 180
  const x = Math.min(tiles - 1, Math.floor((((lon ?? 0) + 180) / 360) * tiles))
  const y = Math.floor(((1 - Math.asinh(Math.tan(rad)) / Math.PI) / 2) * tiles)
  return `${zoom}/${x}/${Math.max(0, y)}`
}

test.each([0, 1, 5, 11, 20])('every device stands in its tile of zoom %d [R-12]', async (zoom) => {
  const found = await ask({ geoTileGridPrecision: zoom })
  const wanted = new Map<string, number>()
  for (const place of Object.values(places)) {
    const key = tileOf(place, zoom)
    wanted.set(key, (wanted.get(key) ?? 0) + 1)
  }
  const counted = found?.geogrid?.buckets.map(({ key, doc_count }) => [key, doc_count] as const)
  expect(new Map(counted)).toEqual(wanted)
})

test('a cell says how many are online, how many have errors, and where its devices are [R-12]', async () => {
  const europe = { geoBoundsTopLeft: [48, 7], geoBoundsBottomRight: [46, 9] }
  const found = await ask({ geoTileGridPrecision: 4, ...europe, statFields: ['connected'] })
  expect(found?.geogrid).toMatchObject({
    more: false,
    buckets: [
      {
        doc_count: 3,
        connected: { count: 3, min: 0, max: 1, avg: 1 / 3, sum: 1 },
        errors: 1,
        worst: 'error',
        states: { error: 1, offline: 0, never: 1, online: 1 },
        viewport: {
          bounds: { top_left: { lat: 47.37, lon: 7.44 }, bottom_right: { lat: 46.76, lon: 8.54 } },
        },
        doc: { attributes: {} },
      },
    ],
  })
  expect(found?.centroid?.location.lat).toBeCloseTo((46.95 + 46.76 + 47.37) / 3)
  expect(found?.viewport).toEqual(found?.geogrid?.buckets[0]?.viewport)
  expect(found?.stats).toMatchObject({ connected: { sum: 1 } })
})

test('the only device of a cell comes with its attributes', async () => {
  const found = await ask({
    geoHashGridPrecision: 5,
    filters: { searchField: 'label', searchValue: 'bern' },
  })
  expect(found?.geogrid?.buckets).toMatchObject([
    {
      key: 'u0m71',
      doc_count: 1,
      doc: { label: 'bern', connected: true, attributes: { geoLocation: [46.95, 7.44] } },
    },
  ])
})

test('a search without a grid has none, and a grid of nothing is empty', async () => {
  expect(await ask({})).toBeUndefined()
  expect(await ask({ geoTileGridPrecision: 3, search: 'no such device' })).toMatchObject({
    geogrid: { buckets: [] },
    viewport: null,
    centroid: null,
  })
})

test('a map asks for the figures alone, with the filters of the list [R-12]', async () => {
  const body = { geoTileGridPrecision: 20, search: 'bern', statFields: ['connected'] }
  const found = await as('viewer').deviceAggregations({ query, body })
  expect(found).toMatchObject({
    stats: { connected: { count: 1 } },
    geogrid: { buckets: [{ worst: 'online', doc: { label: 'bern' } }] },
  })
  expect(await as('viewer').deviceAggregations({ query, body: {} })).toEqual({})
  const other = server.as(seeded.people.foreigner, mappingsContract)
  await expect(other.deviceAggregations({ query, body })).rejects.toMatchObject({ status: 404 })
})

test('the list beside the map has the worst first, then by name [R-12]', async () => {
  const box = { geoBoundsTopLeft: [85, -180], geoBoundsBottomRight: [-85, 180] }
  const asked = { query, body: { ...box, pageSize: 10, orderBy: 'state' } }
  const { data } = await as('viewer').searchDevices(asked)
  expect(data.map(({ label }) => label)).toEqual(['thun', 'fiji', 'zuerich', 'bern'])
})

test('devices without a position are found by that [R-12]', async () => {
  const names = async (placed: boolean) =>
    (await as('viewer').devices({ query: { ...query, placed } })).data.map(({ label }) => label)
  expect(await names(false)).toEqual(['nowhere'])
  expect(await names(true)).toEqual(['bern', 'fiji', 'pole', 'thun', 'zuerich'])
})

test('another organization sees none of it on its map', async () => {
  const other = server.as(seeded.people.foreigner, mappingsContract)
  const body = { page: 0, pageSize: 1, geoTileGridPrecision: 3 }
  await expect(other.searchDevices({ query, body })).rejects.toMatchObject({ status: 404 })
  const found = await other.searchDevices({ query: { organization: 'acqua' }, body })
  expect(found.aggregations?.geogrid?.buckets).toEqual([])
})

test.each([
  { geoTileGridPrecision: 27 },
  { geoHashGridPrecision: 0 },
  { geoTileGridPrecision: 1.5 },
])('%j is refused', async (body) => {
  await expect(ask(body)).rejects.toMatchObject({ status: 400 })
})
