import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { identityForTests, ownerOf, root } from '@longreach/core/testing'
import { client } from '@longreach/kit/client'
import type { Contract } from '@longreach/kit/contract'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets } from '@longreach/kit/secrets'
import { serve } from '@longreach/kit/serve'
import type { Caller } from '@longreach/kit/service'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { platform } from '@longreach/platform'
import { cachedAuthorizer } from '@longreach/server/authorizer'
import { grow, makePresets, raiseAlarms } from './devices/grow.ts'
import { argument, hasSwitch, print, say } from './report.ts'

// npm run bench -- devices [--devices=100000] [--times=200] [--lines=5000] [--map]
// The list of devices as the portal asks for it while somebody types, over a tree of organizations,
// each a whole call with admission, permissions and schemas; the figure is the 99th percentile. The
// peer asks the same database without an index for it: a scan with a full count, in order. --map measures the map
// alone, whose marks of alarms come from one device in twenty.
const wanted = argument('devices', 100_000)
const times = argument('times', 200)
const lines = argument('lines', 5_000)

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir })
const database = openDatabase(postgres.connection, () => undefined) // ends with the server below
const tokenOf = (caller: Caller) => Buffer.from(JSON.stringify(caller)).toString('base64url')
const house: Caller = { kind: 'service', sub: 'bench', username: 'bench', realm: '' }
let forget = () => undefined as void
const { app, settle } = await serve([identityForTests, core, mappings, platform], {
  ...database,
  secrets: createSecrets(Buffer.alloc(32, 1)),
  site: { origin: 'http://bench.test', dataDir, mqttPort: 0 },
  authenticate: () => async (token) =>
    JSON.parse(Buffer.from(token, 'base64url').toString()) as Caller,
  // As the server does: rights are kept until an event of core.
  admit: (fetch) => {
    const authorizer = cachedAuthorizer(fetch)
    forget = authorizer.forget
    return authorizer.admit
  },
  onEvent: (topic) => {
    if (topic.startsWith('core.')) forget()
  },
  serviceToken: () => tokenOf(house),
})
const as = <C extends Contract>(caller: Caller | undefined, contract: C) =>
  client(
    contract,
    fetchOf(app, undefined, caller ? { authorization: `Bearer ${tokenOf(caller)}` } : {}),
  )

/** The 99th percentile of many calls, in ms, after a few that do not count. */
async function p99(count: number, work: (round: number) => Promise<unknown>) {
  const taken: number[] = []
  for (let round = -5; round < count; round += 1) {
    const start = performance.now()
    await work(Math.abs(round))
    if (round >= 0) taken.push(performance.now() - start)
  }
  return taken.toSorted((a, b) => a - b)[Math.ceil(count * 0.99) - 1] ?? 0
}

const scan = `
  select d.*, p.name, count(*) over () as total from mappings.device d
  left join mappings.preset p on p.id = d.preset_id
  where strpos(lower(concat_ws(' ', d.label, d.description, d.serial_number, d.id, d.tags::text,
    d.attributes::text, p.name, p.model_name)), $1) > 0
  order by lower(d.label), d.id limit 100`

/** The part of the world around the middle of the devices that a screen of 1,200 by 800 pixels shows. */
function view(zoom: number) {
  const degrees = 360 / (512 * 2 ** zoom)
  const [lat, lon] = [50, 12]
  const [high, wide] = [Math.min(40, degrees * 250), Math.min(180, degrees * 600)]
  return {
    geoBoundsTopLeft: [lat + high, Math.max(-180, lon - wide)],
    geoBoundsBottomRight: [lat - high, Math.min(180, lon + wide)],
  }
}

/** Bring in a table of devices with all that a line may say; seconds of the dry run and of the work. */
async function bringIn(owner: Caller, organization: string) {
  const portal = as(owner, mappingsContract)
  const row = (n: number) =>
    `Row ${n},R-${n},line ${n % 60}|shift,46.${n % 900} 7.${n % 900},Recipe 7,4.2`
  const head = 'name,serial number,tags,position,preset,attributes.firmware'
  const csv = [head, ...Array.from({ length: lines }, (_, n) => row(n))].join('\n')
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return (performance.now() - start) / 1_000
  }
  const asked = (dryRun: boolean) =>
    portal.importDevices({ query: { organization, dryRun }, body: { csv } })
  const dry = await timed(() => asked(true))
  const begun = await timed(() => asked(false))
  const work = await timed(settle)
  const { data } = await portal.deviceImports({ query: { organization } })
  if (data[0]?.made !== lines) throw new Error(`${data[0]?.made} of ${lines} lines were made`)
  return { dry, begun, work }
}

try {
  const bench = { as, asService: <C extends Contract>(contract: C) => as(house, contract) }
  await root(bench, 'acme')
  const owner = await ownerOf(bench, 'acme')
  const tree = as(owner, coreContract)
  for (let site = 0; site < 50; site += 1) {
    const body = { name: `site${site}`, label: `Plant ${site}` }
    await tree.createOrganization({ params: { org: 'acme' }, query: {}, body })
  }
  const organizations = Array.from({ length: 50 }, (_, site) => `acme.site${site}`)
  const presetIds = await makePresets(as(owner, mappingsContract), 'acme')
  await grow(database.pool, { devices: wanted, presetIds, organizations })
  await raiseAlarms(database.pool, 20)
  say(`${wanted} devices`)
  const portal = as(owner, mappingsContract)
  const organization = 'acme.*'
  const line = { unit: 'ms', better: 'less', goal: '100 ms' } as const
  const list = (query: object) =>
    p99(times, () => portal.devices({ query: { organization, page: 0, pageSize: 100, ...query } }))
  const peer = (search: string) =>
    p99(10, async () => JSON.stringify((await database.pool.query(scan, [search])).rows).length)
  const searched = async (what: string, search: string) => ({
    what,
    ours: await list({ search }),
    peers: { 'a scan with a full count': await peer(search) },
    ...line,
  })
  const only = async (what: string, query: object) => ({
    what,
    ours: await list(query),
    peers: {},
    ...line,
  })
  /** Cells of the map at a zoom: the map asks for cells of about 120 pixels. */
  const mapLines = async (what: string, question: object) => {
    const lines = []
    for (const zoom of [2, 6, 8, 12]) {
      const body = { ...view(zoom), ...question, geoTileGridPrecision: zoom + 2 }
      const asked = { query: { organization }, body }
      const ours = await p99(times, () => portal.deviceAggregations(asked))
      lines.push({ what: `zoom ${zoom}${what}`, ours, peers: {}, ...line })
    }
    return lines
  }
  const printLists = async () => {
    for (let n = 0; n < 10; n += 1) {
      const question = [
        { search: 'kiln' },
        { data: `tags == "line ${n}"` },
        { state: 'error' as const },
      ]
      const content = { question: question[n % 3] ?? {} }
      await portal.createSegment({
        query: { organization: 'acme' },
        body: { name: `S ${n}`, content },
      })
    }
    print(`The first page of ${wanted} devices, 99th percentile`, [
      await only('all, by name', {}),
      await searched('one letter', 'k'),
      await searched('a word of many', 'kiln'),
      await searched('two words', 'kiln 4.12'),
      await searched('one device', 'sn-0004711'),
      await searched('an address', '10.20.30.7'),
      await searched('a preset', 'recipe 7'),
      await only('without accents', { search: 'etuve' }),
      await only('an organization', { search: 'plant 17' }),
      await only('what nobody has', { search: 'zzyzx' }),
      await only('online only', { connected: true }),
      await only('a tag', { data: 'tags == "line 15"' }),
      await only('one organization', { organization: 'acme.site7' }),
      await only('last changed first', { orderBy: 'updatedAt', orderDir: 'desc' }),
      await only('by connection', { orderBy: 'lastConnUpdateAt', orderDir: 'desc' }),
      await only('by preset', { orderBy: 'presetName' }),
      await only('page 500', { page: 500 }),
      {
        what: 'figures above the list',
        ours: await p99(times, () => portal.deviceCounts({ query: { organization } })),
        peers: {},
        ...line,
      },
      {
        what: '10 segments with counts',
        ours: await p99(times, () => portal.segments({ query: { organization, counts: true } })),
        peers: {},
        ...line,
      },
      {
        what: 'tags, models, organizations',
        ours: await p99(times, () => portal.deviceFacets({ query: { organization } })),
        peers: {},
        ...line,
      },
    ])
  }
  if (!hasSwitch('map')) await printLists()
  print(`The map of ${wanted} devices, 99th percentile`, [
    ...(await mapLines('', {})),
    ...(await mapLines(', offline', { connected: false })),
    ...(await mapLines(', a word', { search: 'kiln' })),
    ...(await mapLines(', marks of alarms', {
      data: 'attributes.alarms_max_severity >= 0',
      statFields: ['attributes.alarms_max_severity'],
    })),
    {
      what: 'list beside it, worst first',
      ours: await p99(times, () =>
        portal.searchDevices({
          query: { organization },
          body: { ...view(4), orderBy: 'state', pageSize: 50 },
        }),
      ),
      peers: {},
      ...line,
    },
  ])
  if (!hasSwitch('map')) {
    const { dry, begun, work } = await bringIn(owner, 'acme')
    const seconds = { unit: 's', better: 'less', peers: {} } as const
    print(`A table of ${lines} devices`, [
      { what: 'dry run', ours: dry, ...seconds },
      { what: 'begun', ours: begun, ...seconds },
      { what: 'devices, groups, keys, events', ours: work, ...seconds },
    ])
  }
} finally {
  await app.close()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
