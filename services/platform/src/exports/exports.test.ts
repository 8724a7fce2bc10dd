import { sql } from 'kysely'
import { parse } from 'csv-parse/sync'
import { everyAction } from '@longreach/authorization/capability'
import { person } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
  until,
} from '../platform-testing.ts'
import type { ExportQuestion, ExportResult } from './export-contract.ts'
import { dropExpired } from './export-store.ts'
import { cellsOf, unzipped } from './export-testing.ts'

const org = 'exor'
const pump = newDeviceId()
const oven = newDeviceId()
const foreign = newDeviceId()
const hour = 3_600_000
const day = 24 * hour
// In Rome the clocks go forward on 29 March 2026, and back on 25 October.
const start = Date.parse('2026-03-27T00:00:00+01:00')
const autumn = Date.parse('2026-10-24T00:00:00+02:00')
const wrong = '=HYPERLINK("http://x")'
const path = (name: string) => `Probe:1/${name}`

let clock = autumn + 10 * day
let platform: TestPlatform
let ann: ReturnType<TestPlatform['member']>
let bob: ReturnType<TestPlatform['member']>

type Row = [number, unknown]
const stored = new Map<string, Row[]>()
const every = (step: number, count: number, value: (n: number) => unknown): Row[] =>
  Array.from({ length: count }, (_, n): Row => [start + n * step, value(n)])

beforeAll(async () => {
  platform = await testPlatform({}, () => new Date(clock))
  ann = platform.member('ann', org)
  bob = platform.member('bob', org)
  const configuration = configurationText({
    flow: { type: 'double' },
    on: { type: 'boolean' },
    state: { type: 'string' },
    motor: { type: 'struct', properties: { speed: { type: 'integer' } } },
  })
  const facts = [{ path: path('flow'), label: '', unit: 'm³/h', description: '' }]
  const master = { realm: 'exor', configuration, facts }
  const { devices } = platform.register
  devices.set(pump, { label: 'Pump, 1', groups: [3], orgResourceId: org, ...master })
  devices.set(oven, { label: '=Oven', groups: [4], orgResourceId: org, ...master })
  devices.set(foreign, { label: 'Foreign', groups: [], orgResourceId: 'other', ...master })
  const keep = (deviceId: string, name: string, data: Row[]) => {
    stored.set(`${deviceId} ${path(name)}`, data)
    return { deviceId, modelPath: path(name), data }
  }
  const body = [
    keep(pump, 'flow', [
      ...every(10 * 60_000, 6 * 24 * 5, (n) => n / 4),
      ...every(hour, 96, (n) => -n).map(([t, v]): Row => [t - start + autumn, v]),
    ]),
    keep(
      pump,
      'on',
      every(day, 4, (n) => n % 2 === 0),
    ),
    keep(
      pump,
      'state',
      every(day, 4, (n) => [wrong, 'a "b", c', 'line\nbreak', 'bell\u0007 <&>'][n]),
    ),
    keep(
      oven,
      'flow',
      every(hour, 24 * 5, (n) => 100 - n),
    ),
    keep(
      oven,
      'motor',
      every(day, 2, (n) => ({ speed: n })),
    ),
  ]
  await ann.bulkInsertTags({ params: { org }, query: {}, body })
  for (const id of [pump, oven, foreign]) await platform.change(id, {})
  await platform.settle()
})
afterAll(() => platform.close())

type Asked = Partial<Parameters<typeof ann.startExport>[0]['body']>
const params = { org }
const range = { since: start, to: start + 5 * day }
const bodyOf = (asked: Asked) => ({
  devices: { ids: [pump, oven] },
  format: 'csv' as const,
  ...range,
  ...asked,
})

/** The file as the one who asked gets it at once. */
async function fileOf(asked: Asked, who = 'ann') {
  const call = platform.fetchAs(person(who, 'exor', org))
  const answer = await call(`/svc/platform/api/v1/organizations/${org}/exports/now`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(asked)),
  })
  return { answer, file: Buffer.from(await answer.arrayBuffer()) }
}
const csvOf = async (asked: Asked) => {
  const { file } = await fileOf(asked)
  const options = { bom: true, delimiter: asked.separator ?? ',' }
  return parse(file, options)
}
const sheetOf = async (asked: Asked) => {
  const { file } = await fileOf({ format: 'xlsx', ...asked })
  return cellsOf(unzipped(file).get('xl/worksheets/sheet1.xml') ?? '')
}
const within = (rows: readonly Row[] | undefined, since = range.since, to = range.to) =>
  (rows ?? []).filter(([t]) => t >= since && t < to)

test('long CSV holds every stored value with device, path and unit [C-20]', async () => {
  const [header, ...rows] = await csvOf({ paths: ['**/flow', path('on')] })
  expect(header).toEqual(['Time', 'Device', 'Device id', 'Path', 'Value', 'Unit'])
  const naive = [
    ['Pump, 1', pump, 'flow', 'm³/h'],
    ['Pump, 1', pump, 'on', ''],
    ["'=Oven", oven, 'flow', 'm³/h'],
  ].flatMap(([label = '', id = '', name = '', unit = '']) =>
    within(stored.get(`${id} ${path(name)}`)).map(([t, v]) => [
      new Date(t).toISOString(),
      label,
      id,
      path(name),
      String(v),
      unit,
    ]),
  )
  expect(rows.toSorted()).toEqual(naive.toSorted())
})

test('wide CSV has a row for each time and a column for each path [C-20]', async () => {
  const [header, ...rows] = await csvOf({
    layout: 'wide',
    paths: ['**/flow'],
    timestampFormat: 'unix',
  })
  expect(header).toEqual([
    'Time (ms)',
    `Pump, 1 ${path('flow')} [m³/h]`,
    `'=Oven ${path('flow')} [m³/h]`,
  ])
  const pumps = new Map(within(stored.get(`${pump} ${path('flow')}`)))
  const ovens = new Map(within(stored.get(`${oven} ${path('flow')}`)))
  const times = [...new Set([...pumps.keys(), ...ovens.keys()])].toSorted((a, b) => a - b)
  const text = (value: unknown) => (value === undefined ? '' : String(value))
  expect(rows).toEqual(times.map((t) => [String(t), text(pumps.get(t)), text(ovens.get(t))]))
})

test('a spreadsheet has dates of the zone, numbers, truths and texts [C-20]', async () => {
  const [, ...rows] = await sheetOf({
    devices: { ids: [pump] },
    paths: ['**/on', '**/state'],
    timezone: 'Europe/Rome',
  })
  const local = (n: number) => new Date(Date.parse('2026-03-27T00:00:00Z') + n * day)
  const ons = rows.filter((row) => row.get('D') === path('on'))
  expect(ons.map((row) => [row.get('A'), row.get('E')])).toEqual([
    [local(0), true],
    [local(1), false],
    [local(2), true],
    // After the change of the clocks.
    [new Date(local(3).getTime() + hour), false],
  ])
  const texts = rows.filter((row) => row.get('D') === path('state')).map((row) => row.get('E'))
  expect(texts).toEqual([wrong, 'a "b", c', 'line\nbreak', 'bell\uFFFD <&>'])
})

test('what a spreadsheet would run is made safe, and comes back as it was', async () => {
  const rows = await csvOf({ devices: { ids: [pump] }, paths: ['**/state'] })
  expect(rows.slice(1).map((row) => row[4])).toEqual([
    `'${wrong}`,
    'a "b", c',
    'line\nbreak',
    'bell\u0007 <&>',
  ])
})

test.each([
  ['spring', range.since, 5, [24, 24, 23, 24, 24]],
  ['autumn', autumn, 3, [24, 25, 24]],
])(
  'days of %s have 23 or 25 hours where the clocks change [C-20]',
  async (_, since, days, hours) => {
    const one = devicesOf(since === autumn ? pump : oven)
    const rows = await csvOf({
      ...one,
      since,
      to: since + days * day,
      layout: 'wide',
      timezone: 'Europe/Rome',
      aggregation: { type: 'count', sampling: { size: 1, unit: 'days' } },
    })
    const counts = rows.slice(1).map((row) => Number(row[1]))
    // The last day of spring ends an hour late, that of autumn an hour early.
    expect(counts.slice(0, hours.length - 1)).toEqual(hours.slice(0, -1))
    expect(rows[2]?.[0]).toMatch(/T00:00:00\.000\+0[12]:00$/)
  },
)
const devicesOf = (id: string) => ({ devices: { ids: [id] }, paths: ['**/flow'] })

test('figures of steps are those of a naive computation [C-20]', async () => {
  const asked = {
    ...devicesOf(pump),
    aggregation: { type: 'average', sampling: { size: 1, unit: 'hours' as const } },
  }
  const [, ...rows] = await csvOf(asked)
  const groups = Map.groupBy(within(stored.get(`${pump} ${path('flow')}`)), ([t]) =>
    Math.floor((t - start) / hour),
  )
  const naive = [...groups.values()].map(
    (all) => all.reduce((sum, [, v]) => sum + Number(v), 0) / all.length,
  )
  expect(rows.map((row) => Number(row[4]))).toEqual(naive)
  const wide = await csvOf({ ...asked, layout: 'wide' })
  expect(wide.slice(1).map((row) => Number(row[1]))).toEqual(naive)
})

test('separator, decimal comma and headings are as asked', async () => {
  const rows = await csvOf({
    ...devicesOf(pump),
    to: start + hour,
    separator: ';',
    decimal: ',',
    words: { time: 'Zeit', value: 'Wert' },
    timestampFormat: 'local',
    timezone: 'Europe/Rome',
  })
  expect(rows[0]).toEqual(['Zeit (Europe/Rome)', 'Device', 'Device id', 'Path', 'Wert', 'Unit'])
  expect(rows[2]).toEqual([
    '2026-03-27 00:10:00.000',
    'Pump, 1',
    pump,
    path('flow'),
    '0,25',
    'm³/h',
  ])
})

test('a search, a group and single paths name devices too [C-20]', async () => {
  const ids = async (devices: ExportQuestion['devices']) =>
    new Set((await csvOf({ devices })).slice(1).map((row) => `${row[2]} ${row[3]}`))
  expect(await ids({ question: { search: 'Oven' }, except: [] })).toEqual(
    new Set([`${oven} ${path('flow')}`, `${oven} ${path('motor')}`]),
  )
  expect((await ids({ group: 3 })).size).toBe(3)
  const sources = [{ deviceId: pump, modelPath: path('on') }]
  expect(await ids({ sources })).toEqual(new Set([`${pump} ${path('on')}`]))
})

test('the estimate counts what is stored', async () => {
  const estimated = await ann.estimateExport({ params, body: bodyOf({}) })
  const values = [...stored.values()].flatMap((rows) => within(rows)).length
  expect(estimated).toMatchObject({ devices: 2, series: 5, values, exact: true, large: false })
  const { file } = await fileOf({})
  expect(estimated.bytes / file.length).toBeGreaterThan(0.5)
  expect(estimated.bytes / file.length).toBeLessThan(2)
})

const start1 = async (asked: Asked, who = ann) =>
  (await who.startExport({ params, body: bodyOf(asked) })).id
const jobOf = (jobId: string) => ann.job({ params: { jobId }, query: { organization: org } })
const get = async (who: string, url: string) => platform.fetchAs(person(who, 'exor', org))(url)
const fileUrl = (id: string) => `/svc/platform/api/v1/organizations/${org}/exports/${id}/file`

test('a job writes the same file, for the person who asked alone, for a week [C-20]', async () => {
  const id = await start1({ name: 'März' })
  await platform.settle()
  const job = await jobOf(id)
  expect(job).toMatchObject({ state: 'DONE', kind: 'export-values', label: 'März.csv' })
  const { download, values } = job.result as ExportResult
  expect(values).toBe([...stored.values()].flatMap((rows) => within(rows)).length)
  const headers = { authorization: `Bearer ${platform.tokenOf('ann', org)}` }
  const answer = await fetch(`${platform.site.origin}${fileUrl(id)}`, { headers })
  expect(answer.headers.get('content-length')).toBe(String(download.bytes))
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''M%C3%A4rz.csv")
  const file = Buffer.from(await answer.arrayBuffer())
  expect(file.equals((await fileOf({})).file)).toBe(true)
  expect(file.length).toBe(download.bytes)
  expect((await get('bob', fileUrl(id))).status).toBe(404)
  await expect(bob.exportLink({ params: { org, exportId: id } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(bob.deleteExport({ params: { org, exportId: id } })).rejects.toMatchObject({
    status: 404,
  })

  const { url } = await ann.exportLink({ params: { org, exportId: id } })
  const nobody = platform.fetchAs()
  expect((await nobody(url)).status).toBe(200)
  expect((await nobody(`${url.slice(0, -4)}AAAA`)).status).toBe(410)
  const before = clock
  clock += 6 * 60_000
  expect((await nobody(url)).status).toBe(410)
  clock = before + 7 * day
  const gone = await get('ann', fileUrl(id))
  expect(gone.status).toBe(410)
  expect(await gone.json()).toMatchObject({ code: 'platform.export_expired' })
  await dropExpired(platformDb(), new Date(clock))
  expect(await parts(id)).toBe(0)
  expect((await get('ann', fileUrl(id))).status).toBe(410)
  clock = before
})

const platformDb = () => platform.database.db.withSchema('platform')
const parts = async (id: string) =>
  (
    await sql`select place from platform.export_part where export_id = ${id}`.execute(
      platform.database.db,
    )
  ).rows.length

test('a spreadsheet of a job is the file that was written', async () => {
  const id = await start1({ format: 'xlsx', layout: 'wide' })
  await platform.settle()
  const answer = await get('ann', fileUrl(id))
  const files = unzipped(Buffer.from(await answer.arrayBuffer()))
  const rows = cellsOf(files.get('xl/worksheets/sheet1.xml') ?? '')
  const times = new Set([...stored.values()].flatMap((all) => within(all).map(([t]) => t)))
  expect(rows).toHaveLength(times.size + 1)
  await ann.deleteExport({ params: { org, exportId: id } })
  expect(await parts(id)).toBe(0)
  expect((await get('ann', fileUrl(id))).status).toBe(404)
})

/** Until `work` is done files can be read, and none begun: jobs wait where they would begin theirs. */
async function holdingJobs(work: (waiting: () => Promise<void>) => Promise<void>) {
  const other = await platform.database.pool.connect()
  await other.query('begin')
  await other.query('lock table platform.export_file in exclusive mode')
  const blocked = `select 1 from pg_locks
    where not granted and relation = 'platform.export_file'::regclass`
  const isBlocked = async () => (await other.query(blocked)).rows.length > 0 || undefined
  try {
    await work(async () => void (await until(isBlocked, 'a job')))
  } finally {
    await other.query('commit')
    other.release()
  }
}
const ended = async (id: string) =>
  until(async () => (await jobOf(id)).state !== 'PROCESSING' || undefined, 'the end of a job')

test('a job that is cancelled while it writes leaves nothing', async () => {
  let id = ''
  await holdingJobs(async (waiting) => {
    id = await start1({})
    await waiting()
    await ann.cancelJob({ params: { jobId: id }, query: { organization: org } })
    // A job checks after a while whether it was cancelled; this lets that time pass.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
  })
  await platform.settle()
  await ended(id)
  vi.useRealTimers()
  expect(await jobOf(id)).toMatchObject({ state: 'CANCELLED' })
  const left = 'select id from platform.export_file where id = $1'
  expect((await platform.database.pool.query(left, [id])).rows).toEqual([])
  expect(await parts(id)).toBe(0)
  expect((await get('ann', fileUrl(id))).status).toBe(404)
})

test('asked for twice at once, both files are made; a fourth has to wait', async () => {
  const ids: string[] = []
  await holdingJobs(async () => {
    ids.push(...(await Promise.all([start1({}), start1({})])), await start1({}))
    const refused = { status: 409, code: 'platform.too_many_exports' }
    await expect(start1({})).rejects.toMatchObject(refused)
  })
  expect(new Set(ids).size).toBe(3)
  await platform.settle()
  for (const id of ids) {
    await ended(id)
    expect(await jobOf(id)).toMatchObject({ state: 'DONE' })
  }
})

test('rights are looked at again when the job runs', async () => {
  const cay = platform.member('cay', org)
  const grouped = { grants: {}, deviceGroups: [{ mask: everyAction, groups: [4] }] } as never
  const before: string[] = []
  let id = ''
  await holdingJobs(async (waiting) => {
    // Three at a time are worked on: cay's comes after them.
    for (let n = 0; n < 3; n += 1) before.push(await start1({}))
    await waiting()
    id = await start1(devicesOf(pump), cay)
    platform.rights['cay'] = { [org]: { capability: grouped, below: false } }
  })
  await platform.settle()
  for (const one of before) await ended(one)
  await platform.settle()
  const job = await until(async () => {
    const now = await cay.job({ params: { jobId: id }, query: { organization: org } })
    return now.state === 'PROCESSING' ? undefined : now
  }, 'the end of the job')
  expect(job).toMatchObject({ state: 'ERROR' })
  expect((await get('cay', fileUrl(id))).status).toBe(404)
})

test('another organization is not there, whichever of the devices it is', async () => {
  for (const devices of [
    { ids: [pump, foreign] },
    {
      sources: [
        { deviceId: pump, modelPath: '**' },
        { deviceId: foreign, modelPath: '**' },
      ],
    },
  ]) {
    const body = bodyOf({ devices })
    for (const call of [ann.estimateExport, ann.exportValues, ann.startExport]) {
      await expect(call({ params, body })).rejects.toMatchObject({ status: 404 })
    }
  }
  await expect(
    ann.estimateExport({ params: { org: 'other' }, body: bodyOf({}) }),
  ).rejects.toMatchObject({ status: 404 })
})

test('without the right to read devices nothing is exported', async () => {
  platform.rights['dan'] = {
    [org]: { capability: { grants: {}, deviceGroups: [] }, below: false },
  }
  const dan = platform.as(person('dan', 'exor', org), platformContract)
  for (const call of [dan.estimateExport, dan.exportValues, dan.startExport]) {
    await expect(call({ params, body: bodyOf({}) })).rejects.toMatchObject({ status: 403 })
  }
})

test.each([
  [{ timezone: 'Mars/Base' }, 400, 'timezone'],
  [{ since: 'yesterday' }, 400, 'since'],
  [{ since: start, to: start - 1 }, 400, 'since'],
  [
    { aggregation: { type: 'mode', sampling: { size: 1, unit: 'hours' as const } } },
    400,
    'aggregation',
  ],
  [{ devices: { group: 99 } }, 422, 'devices'],
])('a question that cannot be says where it is wrong: %o', async (asked, status, field) => {
  const refused = { status, details: { field } }
  await expect(ann.startExport({ params, body: bodyOf(asked) })).rejects.toMatchObject(refused)
})

test('the audit trail says what was taken out', async () => {
  await fileOf({ paths: ['**/on'] })
  const line = await until(async () => {
    const { rows } = await platform.database.pool.query<{ payload: object }>(
      `select payload from bus.event where topic = 'audit.recorded'
        and payload->>'resource' = 'exports' and payload->'after'->'paths' = '["**/on"]'`,
    )
    return rows.at(-1)
  }, 'the line of the trail')
  expect(line.payload).toMatchObject({
    actor: { sub: 'ann' },
    after: { paths: ['**/on'], format: 'csv', devices: { ids: [pump, oven] } },
  })
})

test('full of files is an organization by its own, not by those of others', async () => {
  const keep = (organization: string) =>
    platform.database.pool.query(
      `insert into platform.export_file (id, organization, asked_by, name, content_type, packed, writer,
        complete, parts, bytes, stored_bytes, made_at, expires_at)
      values (gen_random_uuid(), $1, 'bob', 'a.csv', 'text/csv', false, gen_random_uuid(), true, 0, 0,
        25000000000, now(), 'infinity')`,
      [organization],
    )
  await keep('elsewhere')
  await start1({})
  await platform.settle()
  await keep(org)
  const refused = { status: 409, code: 'platform.too_many_exports' }
  await expect(start1({})).rejects.toMatchObject(refused)
})
