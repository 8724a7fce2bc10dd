import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { createBus } from '@longreach/kit/events'
import { migrated } from '@longreach/kit/database'
import { testDatabase } from '@longreach/kit/test-database'
import { testNow, testServer, type TestServer } from '@longreach/kit/testing'
import { type Kysely, sql } from 'kysely'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import { mappings } from '../service.ts'
import { publishRenamed } from './device-labels.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const params = { org: organization }

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const owner = () => server.as(seeded.people.owner, mappingsContract)
const inCore = () => server.as(seeded.people.owner, coreContract)
const create = (label: string, where = organization, more: object = {}) =>
  owner().createDevice({ query: { organization: where }, body: { label, ...more } })
const taken = { status: 409, code: 'mappings.label_taken', details: { field: 'label' } }

test('a label is of one device of its organization, by whichever way it would come there [C-13]', async () => {
  const first = await create('Oven 1')
  await expect(create('Oven 1')).rejects.toMatchObject(taken)
  await expect(create('  Oven 1 ')).rejects.toMatchObject(taken)
  const other = await create('Oven 2')
  const rename = (body: object) => owner().updateDevice({ query, params: { id: other.id }, body })
  await expect(rename({ label: 'Oven 1' })).rejects.toMatchObject(taken)
  const byCore = { params: { ...params, device: other.id }, query: {}, body: { label: 'Oven 1' } }
  await expect(owner().changeCoreDevice(byCore)).rejects.toMatchObject(taken)
  expect(await rename({ label: 'Oven 2', description: 'as it was' })).toMatchObject({
    description: 'as it was',
  })

  // The same label in another organization is another device's, which cannot move here with it.
  const press = await create('Oven 1', 'nordwerk.press')
  const { token } = await inCore().createImportToken({ params })
  const move = () =>
    owner().moveDevice({
      params: { org: 'nordwerk.press', device: press.id },
      query: {},
      body: { organizationImportToken: token },
    })
  await expect(move()).rejects.toMatchObject(taken)
  await owner().deleteDevice({ query, params: { id: first.id } })
  expect(await move()).toMatchObject({ hwId: press.id, orgResourceId: organization })
  await server.settle()
  await expect(
    owner().restoreDevice({ query, params: { id: first.id }, body: {} }),
  ).rejects.toMatchObject(taken)

  const found = await inCore().coreDeviceByLabel({ params: { ...params, label: 'Oven 1' } })
  expect(found.hwId).toBe(press.id)
  const policies = await inCore().securityPolicies({ params, query: { name: 'Oven 1' } })
  expect(policies.content).toHaveLength(1)
  const body = { organization, alias: 'Oven 1' }
  expect(await server.asService(mappingsContract).devicesDescribed({ body })).toMatchObject([
    { id: press.id, aliases: { label: 'Oven 1' }, organization },
  ])
})

test('an alias is a label, else a serial number, else an id; each device of a serial number is named [C-21]', async () => {
  const one = await create('Named 1', organization, { serialNumber: 'SN-4711' })
  const named = (alias: string) =>
    server.asService(mappingsContract).devicesDescribed({ body: { organization, alias } })
  const facts = { id: one.id, aliases: { label: 'Named 1', serialNumber: 'SN-4711' }, organization }
  expect(await named('SN-4711')).toMatchObject([facts])
  expect(await named(one.id)).toMatchObject([facts])
  expect(await named('SN-0')).toEqual([])
  const two = await create('Named 2', organization, { serialNumber: 'SN-4711' })
  const both = await named('SN-4711')
  expect(both.map(({ id }) => id).toSorted()).toEqual([one.id, two.id].toSorted())
  const label = await create('SN-4711')
  expect((await named('SN-4711'))[0]).toMatchObject({ id: label.id, aliases: { label: 'SN-4711' } })
})

test('an alias names first the devices of the organization itself, then those below it, and no others [C-21]', async () => {
  const more = { serialNumber: 'SN-twin' }
  const places = ['nordwerk', organization, 'nordwerk.press'].flatMap((one) =>
    Array.from({ length: 4 }, () => one),
  )
  for (const [at, place] of places.entries()) await create(`Twin ${at}`, place, more)
  const foreign = { query: { organization: 'acqua' }, body: { label: 'Twin', ...more } }
  await server.as(seeded.people.foreigner, mappingsContract).createDevice(foreign)
  const placesOf = async (where: string) => {
    const body = { organization: where, alias: 'SN-twin' }
    const found = await server.asService(mappingsContract).devicesDescribed({ body })
    return found.map((device) => device.organization)
  }
  const found = await placesOf('nordwerk')
  expect(found.slice(0, 4)).toEqual(places.slice(0, 4))
  expect(found.slice(4).toSorted()).toEqual(places.slice(4).toSorted())
  expect(await placesOf('nordwerk.press')).toEqual(places.slice(8))
})

test('of many who give a label at once, one does', async () => {
  const renamed = await create('Other')
  const all = await Promise.allSettled([
    ...Array.from({ length: 6 }, () => create('At once')),
    owner().updateDevice({ query, params: { id: renamed.id }, body: { label: 'At once' } }),
  ])
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of all) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject(taken)
  }
  const { data } = await owner().devices({
    query: { organization, page: 0, pageSize: 50, search: 'At once' },
  })
  expect(data).toHaveLength(1)
})

test('core knows a device that was just made, before any event is delivered [C-13] [C-12]', async () => {
  const { id, groups } = await create('Fresh', organization, { serialNumber: 'SN-1' })
  expect(groups.length).toBeGreaterThan(0)
  const device = { ...params, device: id }
  expect(
    await owner().changeCoreDevice({ params: device, query: {}, body: { label: 'Fresh 2' } }),
  ).toMatchObject({ hwId: id, label: 'Fresh 2' })
  const policies = await inCore().securityPolicies({ params, query: { name: 'Fresh 2' } })
  expect(policies.content).toHaveLength(1)
  const group = await inCore().createSecurityPolicy({ params, body: { name: 'Line F' } })
  await inCore().addPolicyDevices({ params: { ...params, policy: String(group.id), devices: id } })
  const inGroup = (at: number) =>
    owner().devicesOfGroup({
      params: { group: at },
      query: { organization, page: 0, pageSize: 10 },
    })
  // The event says it again, and changes nothing.
  await server.settle()
  await server.settle()
  expect((await inGroup(group.id)).data.map((one) => one.id)).toEqual([id])
  await expect(inGroup(999_999)).rejects.toMatchObject({ status: 404 })
  const after = await inCore().coreDevices({ params, query: { deviceLabel: 'Fresh 2' } })
  expect(after.content.map((one) => one.hwId)).toEqual([id])
})

test('devices of one label from before are told apart by the migration, and core hears of it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-labels-'))
  const all = new URL('../migrations/', import.meta.url)
  await cp(all, folder, { recursive: true })
  const late = (await readdir(folder)).filter((name) => name >= '070')
  await Promise.all(late.map((name) => rm(path.join(folder, name))))
  const database = await testDatabase()
  try {
    await createBus(database.db)
    const before = pathToFileURL(`${folder}/`)
    const db = (await migrated(database.db, 'mappings', before)) as Kysely<MappingsDb>
    const add = (place: string, label: string, more: object = {}) =>
      db
        .insertInto('device')
        .values({
          id: place.padStart(22, 'A'),
          label,
          organization,
          realm: 'nordwerk',
          description: '',
          serial_number: '',
          preset_id: null,
          tags: [],
          attributes: '{}',
          groups: [],
          created_at: new Date(Number(place)),
          updated_at: testNow,
          connected: false,
          last_connection_at: null,
          configuration_sent: false,
          configuration_applied: false,
          configuration_error: null,
          last_configuration_at: null,
          ...more,
        })
        .execute()
    const long = 'x'.repeat(200)
    await add('3', 'Press')
    await add('1', 'Press')
    await add('2', 'Press')
    await add('4', 'Press (2)')
    await add('5', 'Press', { organization: 'nordwerk' })
    await add('6', 'Press', { deleted_at: testNow })
    await add('7', long)
    await add('8', long)
    await migrated(database.db, 'mappings', all)
    const rows = await db.selectFrom('device').select(['id', 'label']).orderBy('id').execute()
    expect(Object.fromEntries(rows.map(({ id, label }) => [id.slice(-1), label]))).toEqual({
      1: 'Press',
      2: 'Press (2)',
      3: 'Press (3)',
      4: `Press (2) (${'4'.padStart(22, 'A')})`,
      5: 'Press',
      6: 'Press',
      7: long,
      8: `${long.slice(0, 170)} (2)`,
    })
    await publishRenamed({ db, log: pino({ level: 'silent' }) })
    await publishRenamed({ db, log: pino({ level: 'silent' }) })
    const { rows: told } = await sql<{ payload: { deviceId: string; label: string } }>`
      select payload from bus.event where topic = 'mappings.device_changed'
      order by payload ->> 'deviceId'`.execute(database.db)
    expect(told.map(({ payload }) => payload.deviceId.slice(-1))).toEqual(['2', '3', '4', '8'])
    expect(told[2]?.payload.label).toContain('Press (2) (A')
    await expect(add('9', 'Press (3)')).rejects.toThrow(/device_label_once/)
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
})
