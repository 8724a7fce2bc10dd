import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
} from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

// What is counted and put in order by the database is here counted from all rows, one by one.
let server: TestServer
let seeded: Seeded
/** Sees the devices of one device group, in nordwerk and below. */
let limited: Caller
let group: number
const as = (who: Caller) => server.as(who, mappingsContract)

const insert = `
  insert into mappings.device (id, organization, realm, label, description, preset_id, tags, attributes, groups,
    created_at, updated_at, connected, last_connection_at, configuration_error, deleted_at)
  select substr(md5(n::text), 1, 22), ($1::text[])[1 + n % 6], 'nordwerk',
    (array['Oven ','Press ','7 Kilns ','Étuve '])[1 + n % 4] || n, case when n % 11 = 0 then 'Hall 7x' else 'ß' end,
    case when n % 5 > 0 then ($2::text[])[1 + n % cardinality($2::text[])] end,
    case n % 4 when 0 then array['line ' || n % 7, 'shift'] when 1 then array['shift', 'shift'] else '{}' end,
    case when n % 9 = 0 then '{}' else jsonb_build_object('geoLocation', jsonb_build_array(
      -90 + n * 7 % 181, -180 + n * 13 % 361)) end,
    case when n % 10 < 8 then array[$3::int, 999999] else array[999999] end,
    now(), now(), n % 3 = 0, case when n % 2 = 0 then now() end,
    case when n % 17 = 0 then 'refused' end, case when n % 13 = 0 then now() end
  from generate_series(1, 4500) n`

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  const { owner } = seeded.people
  const params = { org: 'nordwerk' }
  const inCore = server.as(owner, coreContract)
  group = (await inCore.createSecurityPolicy({ params, body: { name: 'Line 1' } })).id
  const rules = [{ resource: 'devices' as const, actions: ['read' as const], deviceGroup: group }]
  const role = { name: 'line-1', label: 'Line 1', inherit: true, rules }
  await inCore.createRole({ params, body: role })
  const { nordwerk: org } = seeded.organizations
  limited = await addPerson(server, owner, { org, username: 'lea', roles: ['line-1'] })
  const places = ['nordwerk', 'nordwerk.service', 'nordwerk.press', 'nordwerk.service']
  const others = ['nordwerk-2.service', 'acqua.pumps']
  await server.database.pool.query(insert, [[...places, ...others], await presets(), group])
})
afterAll(() => server.close())

/** Presets of two models, some with one name. */
async function presets() {
  const made: string[] = []
  for (const model of ['Kiln', 'Oven']) {
    for (const organization of ['nordwerk', 'nordwerk.service']) {
      const portal = as(seeded.people.owner)
      const query = { organization }
      const t = { type: 'double' }
      const type = { type: 'object', properties: { t } }
      await portal.createModel({ query, body: { name: model, data: type } })
      const leaf = { ...t, mode: 'R', historyPolicy: { enabled: true }, datalink: { source: 'T' } }
      const data = { type: 'object', instanceOf: `${model}:1.0.0`, properties: { t: leaf } }
      for (const name of ['Recipe 10', 'Recipe 7', 'recipe 2', 'Äther']) {
        made.push((await portal.createPreset({ query, body: { name, data } })).id)
      }
    }
  }
  return made
}

type Row = {
  id: string
  organization: string
  label: string
  tags: string[]
  groups: number[]
  preset: string | null
  model: string | null
  search_text: string
  lat: number | null
  lon: number | null
  connected: boolean
  state_rank: number
}

/** All devices that somebody sees in an organization and all below, found one by one. */
async function seen(who: Caller, organization: string) {
  const { rows } = await server.database.pool.query<Row>(
    `select d.*, p.name as preset, p.model_name as model from mappings.device d
      left join mappings.preset p on p.id = d.preset_id where d.deleted_at is null`,
  )
  return rows.filter(
    (row) =>
      (row.organization === organization || row.organization.startsWith(`${organization}.`)) &&
      (who !== limited || row.groups.includes(group)),
  )
}

const askers = () =>
  [
    [seeded.people.owner, 'nordwerk'],
    [limited, 'nordwerk'],
    [seeded.people.foreigner, 'acqua'],
  ] as const

function counted(values: readonly (string | null)[]) {
  const counts = new Map<string, number>()
  for (const value of values) {
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

test('tags, models and organizations are counted over the devices that somebody sees [R-10] [A-05]', async () => {
  for (const [who, place] of askers()) {
    const rows = await seen(who, place)
    expect(rows.length).toBeGreaterThan(0)
    const found = await as(who).deviceFacets({ query: { organization: `${place}.*` } })
    const counts = (facet: keyof typeof found) =>
      Object.fromEntries(found[facet].map(({ value, count }) => [value, count]))
    expect(counts('tags')).toEqual(counted(rows.flatMap(({ tags }) => tags)))
    expect(counts('models')).toEqual(counted(rows.map(({ model }) => model)))
    expect(counts('organizations')).toEqual(counted(rows.map(({ organization }) => organization)))
    for (const facet of [found.tags, found.models, found.organizations]) {
      const order = facet.map(({ count }) => count)
      expect(order).toEqual(order.toSorted((a, b) => b - a))
    }
  }
})

const presetOrders = {
  presetName: `coalesce(p.name, '') collate mappings.natural_order`,
  presetId: `coalesce(d.preset_id, '')`,
  modelName: `coalesce(p.model_name, '') collate mappings.natural_order`,
}

/** These devices in an order, as the database puts all of them at once. */
async function inOrder(ids: readonly string[], order: string, dir: string) {
  const { rows } = await server.database.pool.query<{ id: string }>(
    `select d.id from mappings.device d left join mappings.preset p on p.id = d.preset_id
      where d.id = any($1) order by ${order} ${dir}, d.id ${dir}`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

test.each(Object.entries(presetOrders))(
  'pages of many devices by %s follow each other as in the whole list [R-10] [A-05]',
  async (orderBy, order) => {
    for (const [who, place] of askers().slice(orderBy === 'presetName' ? 0 : 1, 2)) {
      const ids = (await seen(who, place)).map(({ id }) => id)
      const query = { organization: `${place}.*`, orderBy, pageSize: 500 }
      for (const orderDir of ['asc', 'desc'] as const) {
        const wanted = await inOrder(ids, order, orderDir)
        const ask = (more: object) => as(who).devices({ query: { ...query, orderDir, ...more } })
        for (const page of [0, 2, Math.floor(ids.length / 500)]) {
          const found = await ask({ page })
          expect(found.totalElements).toBe(ids.length)
          expect(found.data.map(({ id }) => id)).toEqual(wanted.slice(page * 500, page * 500 + 500))
        }
        const scrolled: string[] = []
        let scrollId: string | undefined
        do {
          const found = await ask({ page: 0, scroll: true, scrollId })
          expect(found.totalElements).toBe(ids.length)
          scrolled.push(...found.data.map(({ id }) => id))
          scrollId = found.scrollId
        } while (scrollId !== undefined)
        expect(scrolled).toEqual(wanted)
      }
    }
  },
)

test('many devices that a filter finds are in the order of their presets [R-10]', async () => {
  const { owner } = seeded.people
  const rows = await seen(owner, 'nordwerk')
  const wanted = rows.filter((row) => row.model === 'Kiln' || !row.label.startsWith('Oven'))
  expect(wanted.length).toBeGreaterThan(2_000)
  const ids = wanted.map(({ id }) => id)
  const data = `modelName == "Kiln" or label !~= "Oven"`
  const query = { organization: 'nordwerk.*', orderBy: 'presetName', pageSize: 500, page: 3, data }
  const found = await as(owner).devices({ query })
  expect(found.totalElements).toBe(ids.length)
  const all = await inOrder(ids, presetOrders.presetName, 'asc')
  expect(found.data.map(({ id }) => id)).toEqual(all.slice(1_500, 2_000))
})

const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')

test.each(['7', 'ki', '7x', '7 ki', 'Ét 7', 'recipe 7', 'ß', 'recipe oven', '7%', '-9'])(
  'the words "%s" find every device that has them, short ones at the beginning of a word [R-10] [A-05]',
  async (search) => {
    for (const [who, place] of askers()) {
      const found = await as(who).devices({ query: { organization: `${place}.*`, search } })
      const wanted = (await seen(who, place)).filter((row) => {
        const preset = row.preset === null ? '' : plain(` ${row.preset} ${row.model}`)
        return plain(search)
          .split(' ')
          .map((word) => (word.length < 3 ? ` ${word}` : word))
          .every((word) => row.search_text.includes(word) || preset.includes(word))
      })
      expect(found.totalElements).toBe(wanted.length)
    }
  },
)

/** The tile of a place by the formula that maps are divided by. */
function tileOf({ lat, lon }: Row, zoom: number) {
  const tiles = 2 ** zoom
  const high = Math.min(Math.max(lat ?? 0, -85.0511287798), 85.0511287798)
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (high * Math.PI) / 360)) / (2 * Math.PI)
  const place = (share: number) => Math.min(tiles - 1, Math.max(0, Math.floor(share * tiles)))
  return `${zoom}/${place((lon ?? 0) / 360 + 0.5)}/${place(y)}`
}

test.each([0, 1, 3, 5])(
  'a map at zoom %d counts the devices that somebody sees, cell by cell [R-12] [A-05]',
  async (zoom) => {
    for (const [who, place] of askers()) {
      const rows = (await seen(who, place)).filter(({ lat, lon }) => lat !== null && lon !== null)
      const asked = { query: { organization: `${place}.*` }, body: { geoTileGridPrecision: zoom } }
      const { geogrid, centroid } = await as(who).deviceAggregations(asked)
      const buckets = geogrid?.buckets ?? []
      expect(buckets.map(({ key }) => key).toSorted()).toEqual(
        [...new Set(rows.map((row) => tileOf(row, zoom)))].toSorted(),
      )
      for (const bucket of buckets) {
        const here = rows.filter((row) => tileOf(row, zoom) === bucket.key)
        const ranked = (rank: number) => here.filter((row) => row.state_rank === rank).length
        const ranks = here.map((row) => row.state_rank)
        expect(bucket).toMatchObject({
          doc_count: here.length,
          connected: { sum: here.filter(({ connected }) => connected).length },
          states: { error: ranked(0), offline: ranked(1), never: ranked(2), online: ranked(3) },
          worst: (['error', 'offline', 'never', 'online'] as const)[Math.min(...ranks)],
        })
        expect(here.map(({ id }) => id)).toContain(bucket.doc.id)
        const mean = here.reduce((sum, { lat }) => sum + (lat ?? 0), 0) / here.length
        expect(bucket.centroid?.location.lat).toBeCloseTo(mean)
      }
      expect(centroid?.count).toBe(rows.length)
    }
  },
)

test('a page far down a list in the order of names is found in the index alone', async () => {
  const connection = await server.database.pool.connect()
  try {
    await connection.query('begin; set local enable_sort = off; set local enable_seqscan = off')
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(`explain
      select device.id, device.label collate mappings.natural_order
      from mappings.device left join mappings.preset on preset.id = device.preset_id
      where device.deleted_at is null and device.organization >= 'nordwerk.'
      order by device.label collate mappings.natural_order, device.id limit 101 offset 4000`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Only Scan using device_label')
    await connection.query('rollback')
  } finally {
    connection.release()
  }
})
