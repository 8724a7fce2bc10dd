import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
} from '@longreach/core/testing'
import { testNow, testServer, type TestServer } from '@longreach/kit/testing'
import { platform } from '@longreach/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'
import { deleteImportsBefore } from './import-store.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const params = { org: organization }
type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], mappingsContract)
const asCore = (who: Who) => server.as(seeded.people[who], coreContract)
const plan = (csv: string, more: object = {}, who: Who = 'administrator') =>
  as(who).importDevices({ query: { ...query, dryRun: true }, body: { csv, ...more } })
const settled = async () => {
  await server.settle()
  await server.settle()
}

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings, platform], {
    admit: coreAuthorizer,
  })
  seeded = await seed(server)
})
afterAll(() => server.close())

/** Import, wait, and answer the sheet. */
async function done(csv: string, who: Who = 'administrator', at = organization) {
  const { importId = 0, jobId = '' } = await as(who).importDevices({
    query: { organization: at },
    body: { csv, name: 'devices.csv' },
  })
  await settled()
  const asked = { params: { import: importId }, query: { organization: at } }
  const { data } = await as(who).deviceImportSheet(asked)
  const job = await as(who).job({ params: { jobId }, query: { organization: at } })
  return { importId, data, job }
}
const devices = async (search: string, at = organization) =>
  (await as('owner').devices({ query: { organization: at, search, pageSize: 100 } })).data

test('a dry run says what each line would do and makes nothing [C-26] [R-10]', async () => {
  const { separator, mapping, counts, lines } = await plan(
    'Bezeichnung;Seriennummer;attributes.line;Preset;Standort;unknown\n' +
      'Press 1;0047;3;;45,46 9,19;x\n' +
      'Press 1;;;;;\n' +
      ';;;;;\n' +
      'Press 2;;;Nothing;100 200;\n',
  )
  expect({ separator, mapping }).toEqual({
    separator: ';',
    mapping: {
      Bezeichnung: 'label',
      Seriennummer: 'serialNumber',
      'attributes.line': 'attributes.line',
      Preset: 'preset',
      Standort: 'position',
      unknown: '',
    },
  })
  expect(counts).toEqual({ create: 1, present: 0, error: 2 })
  const problems = lines.flatMap((line) =>
    line.problems.map(({ column, code }) => [line.line, column, code]),
  )
  expect(problems).toEqual([
    [3, 'Bezeichnung', 'twice'],
    [5, 'Preset', 'unknown_preset'],
    [5, 'Standort', 'malformed'],
  ])
  expect(await devices('Press')).toEqual([])
})

test('columns are what the caller says, and a table that cannot be read is named', async () => {
  const said = await plan('a|b\nPump|P-1', { mapping: { a: 'label', b: 'attributes.tag no' } })
  expect(said.mapping).toEqual({ a: 'label', b: 'attributes.tag no' })
  for (const [csv, more] of [
    ['', {}],
    ['a,b\nx,y', {}],
    ['name,name\nx,y', {}],
    ['name,"b\nx,y', {}],
    ['a,b\nx,y', { mapping: { a: 'label', b: 'label' } }],
  ] as const) {
    await expect(plan(csv, more)).rejects.toMatchObject({ code: 'mappings.unreadable_table' })
  }
  await expect(plan('a,b\nx,y')).rejects.toMatchObject({ details: { fault: 'device_columns' } })
  await expect(plan('name\nx', { mapping: { name: 'colour' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('a cell that says it is a text stays one, and a number a number [R-10]', async () => {
  const csv = `name,serial,attributes.firmware,attributes.build,attributes.low,attributes.on,attributes.count
Typed 1,'4711,'4.1,'4.10,''-5,'true,'
Typed 2,4711,4.1,4.10,'-5,true,7`
  const { job } = await done(csv)
  expect(job).toMatchObject({ state: 'DONE', failed: 0 })
  const [one] = await devices('Typed 1')
  expect(one).toMatchObject({
    serialNumber: '4711',
    attributes: { firmware: '4.1', build: '4.10', low: '-5', on: 'true', count: "'" },
  })
  const [two] = await devices('Typed 2')
  expect(two).toMatchObject({
    serialNumber: '4711',
    attributes: { firmware: 4.1, build: '4.10', low: -5, on: true, count: 7 },
  })
})

test('devices are made with all that their lines say, and with keys that connect [R-10] [C-26]', async () => {
  const group = await asCore('administrator').createSecurityPolicy({
    params,
    body: { name: 'Hall 7' },
  })
  const csv = `name,serial,tags,description,attributes.line,attributes.code,lat,lon,groups
Lathe 1,S-1,"metal|old",first,3,007,45.5,9.25,hall 7
Lathe 2,S-2,,,,,,,`
  const { data, job, importId } = await done(csv)
  expect(job).toMatchObject({ kind: 'import-devices', state: 'DONE', total: 2, failed: 0 })
  const keys = data.map(({ activationKey }) => activationKey)
  expect(keys).toEqual([
    expect.stringMatching(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/),
    expect.any(String),
  ])
  const [one] = await devices('Lathe 1')
  expect(one).toMatchObject({
    deviceId: data[0]?.deviceId,
    serialNumber: 'S-1',
    tags: ['metal', 'old'],
    description: 'first',
    attributes: { line: 3, code: '007', geoLocation: [45.5, 9.25] },
    position: { lat: 45.5, lon: 9.25 },
  })
  expect(one?.groups).toContain(group.id)
  const answer = await server.app.inject(`/pairing/api/v1?activationKey=${keys[0]}`)
  expect(answer.json()).toMatchObject({ logicalId: data[0]?.deviceId })
  const { rows } = await server.database.pool.query(
    'select key, wanted::text from mappings.device_import_line where import_id = $1',
    [importId],
  )
  expect(JSON.stringify(rows)).not.toContain(keys[0])
})

test('the sheet is for who imported, each look is recorded, and after a week it is gone', async () => {
  const { importId } = await done('name\nDrill 1')
  const asked = { params: { import: importId }, query }
  for (const who of ['owner', 'neighbour', 'foreigner', 'viewer'] as const) {
    await expect(as(who).deviceImportSheet(asked)).rejects.toMatchObject({
      status: expect.toSatisfy((status: number) => status === 404 || status === 403),
    })
  }
  // Nor for the same person in another organization.
  const own = await done('name\nDrill 2', 'owner')
  const above = { organization: 'nordwerk' }
  expect((await as('owner').deviceImports({ query })).data).toMatchObject([{ id: own.importId }])
  expect((await as('owner').deviceImports({ query: above })).data).toEqual([])
  await expect(
    as('owner').deviceImportSheet({ params: { import: own.importId }, query: above }),
  ).rejects.toMatchObject({ status: 404 })
  await as('administrator').deviceImportSheet(asked)
  const { rows } = await server.database.pool.query<{ payload: { action: string } }>(
    `select * from bus.event where topic = 'audit.recorded'`,
  )
  const looks = rows.filter((row) => JSON.stringify(row).includes('"showKeys"'))
  expect(looks.length).toBeGreaterThanOrEqual(2)
  const { data: before } = await as('administrator').deviceImports({ query })
  expect(before[0]).toMatchObject({ id: importId, total: 1, made: 1, keys: 1, name: 'devices.csv' })
  // oxlint-disable-next-line typescript/no-explicit-any -- the test's database knows every schema
  const db = (server.database.db as any).withSchema('mappings')
  await deleteImportsBefore(db, new Date(+testNow + 1))
  await expect(as('administrator').deviceImport(asked)).rejects.toMatchObject({ status: 404 })
})

test('the same table twice at once makes each device once [C-26]', async () => {
  const csv = `name\n${Array.from({ length: 5 }, (_, n) => `Twin ${n}`).join('\n')}`
  const body = { csv }
  const [one, other] = await Promise.all([
    as('administrator').importDevices({ query, body }),
    as('owner').importDevices({ query, body }),
  ])
  await settled()
  expect((await devices('Twin')).map(({ label }) => label).toSorted()).toEqual(
    Array.from({ length: 5 }, (_, n) => `Twin ${n}`),
  )
  expect([one.counts.create, other.counts.create]).toEqual([5, 5])
  expect((await plan(csv)).counts).toEqual({ create: 0, present: 5, error: 0 })
  await expect(as('administrator').importDevices({ query, body })).rejects.toMatchObject({
    code: 'mappings.nothing_selected',
  })
})

test('an organization that lets in some addresses only gets its devices too', async () => {
  const allow = (list: string) =>
    server.database.pool.query(
      `update core.organization set ip_addresses_whitelist = $1 where resource_id = $2`,
      [list, organization],
    )
  await allow('{127.0.0.1,::1}')
  const { data } = await done('name\nFenced 1')
  await allow('{}')
  expect(data).toMatchObject([{ outcome: 'MADE', problem: '' }])
})

test('a line goes into an organization below where the caller may make devices [R-10]', async () => {
  const at = 'nordwerk'
  const csv = 'name,organization\nBelow 1,service\nBelow 2,nordwerk.press\nBelow 3,acqua'
  const seen = await as('owner').importDevices({
    query: { organization: at, dryRun: true },
    body: { csv },
  })
  expect(seen.counts).toEqual({ create: 2, present: 0, error: 1 })
  await done(csv, 'owner', at)
  const [below] = await devices('Below 1')
  expect(below?.orgResourceId).toBe('nordwerk.service')
  expect(await devices('Below 2', 'nordwerk.press')).toHaveLength(1)
})

test('many lines are made together, and one that cannot be made spoils no other [R-10] [C-26]', async () => {
  const { id: group } = await asCore('administrator').createSecurityPolicy({
    params,
    body: { name: 'Batch group' },
  })
  const names = Array.from({ length: 30 }, (_, n) => `Batch ${n}`)
  const { data, job } = await done(`name,groups\n${names.join(',Batch group\n')},Batch group\n`)
  expect(job).toMatchObject({ state: 'DONE', total: 30, done: 30, failed: 0 })
  expect(data.map(({ label }) => label)).toEqual(names)
  expect(new Set(data.map(({ activationKey }) => activationKey)).size).toBe(30)
  const made = await devices('batch')
  expect(made.map(({ groups }) => [groups.length, groups.includes(group)])).toEqual(
    names.map(() => [4, true]),
  )
  const told = await server.database.pool.query<{ count: number }>(
    `select jsonb_array_length(payload->'after'->'add') as count from bus.event
     where topic = 'audit.recorded' and payload->>'id' = $1 and payload->'after' ? 'add'`,
    [String(group)],
  )
  expect(told.rows).toEqual([{ count: 30 }])
  const { content } = await asCore('administrator').coreDevices({
    params,
    query: { deviceLabel: 'Batch 7' },
  })
  expect(content[0]?.securityPolicyGroups.map(({ type }) => type).toSorted()).toEqual(
    ['ALL_DEVICES', 'SELF_DEVICE', 'STANDARD'].toSorted(),
  )

  const { importId = 0 } = await as('administrator').importDevices({
    query,
    body: { csv: 'name\nBeside 1\nBeside 2\nBeside 3\n' },
  })
  await as('administrator').createDevice({ query, body: { label: 'Beside 2' } })
  await settled()
  const sheet = await as('administrator').deviceImportSheet({ params: { import: importId }, query })
  expect(sheet.data.map(({ outcome }) => outcome)).toEqual(['MADE', 'FAILED', 'MADE'])
})

test('a line that made no device says why by a code, also one that failed in the making [R-10]', async () => {
  const started = as('administrator').importDevices({
    query,
    body: { csv: 'name,preset\nCoded 1,Gone\nCoded 2,' },
  })
  const { importId = 0 } = await started
  await settled()
  const sheet = () => as('administrator').deviceImportSheet({ params: { import: importId }, query })
  const [wrong, made] = (await sheet()).data
  expect(wrong?.fault).toMatchObject({ column: 'preset', code: 'unknown_preset', value: 'Gone' })
  expect(wrong?.problem).toContain('preset: ')
  expect(made).toMatchObject({ outcome: 'MADE', problem: '', fault: null })
  await server.database.pool.query(
    `update mappings.device_import_line set problem = 'plain words', outcome = 'FAILED'
     where import_id = $1 and line = 2`,
    [importId],
  )
  expect((await sheet()).data[0]).toMatchObject({
    problem: 'plain words',
    fault: { code: '', message: 'plain words' },
  })
})

test('who may not make devices imports none, and nobody gives a right that they lack', async () => {
  for (const who of ['viewer', 'operator', 'member', 'foreigner', 'neighbour'] as const) {
    await expect(plan('name\nx', {}, who)).rejects.toMatchObject({
      status: expect.toSatisfy((status: number) => status === 404 || status === 403),
    })
  }
  await asCore('administrator').createSecurityPolicy({ params, body: { name: 'Guarded' } })
  const rules = [{ resource: 'devices' as const, actions: ['create' as const, 'read' as const] }]
  await asCore('owner').createRole({ params, body: { name: 'maker', label: 'Maker', rules } })
  const org = seeded.organizations.service
  const roles = ['maker']
  const mark = await addPerson(server, seeded.people.owner, { org, username: 'mark', roles })
  const asMark = server.as(mark, mappingsContract)
  const seen = await asMark.importDevices({
    query: { ...query, dryRun: true },
    body: { csv: 'name,groups\nMine,Guarded' },
  })
  expect(seen.lines[0]?.problems).toMatchObject([{ column: 'groups', code: 'beyond_own_rights' }])
  const { importId = 0 } = await asMark.importDevices({ query, body: { csv: 'name\nMine' } })
  await settled()
  const sheet = await asMark.deviceImportSheet({ params: { import: importId }, query })
  expect(sheet.data).toMatchObject([{ outcome: 'MADE', activationKey: '' }])
})
