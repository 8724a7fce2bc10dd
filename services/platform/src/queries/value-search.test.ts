import { bitOf, everyAction } from '@longreach/authorization/capability'
import { person } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import {
  configurationText,
  newDeviceId,
  testPlatform,
  type TestPlatform,
} from '../platform-testing.ts'

const org = 'exor'
const [oven, below, foreign] = [newDeviceId(), newDeviceId(), newDeviceId()]
let platform: TestPlatform
let ann: ReturnType<TestPlatform['member']>

beforeAll(async () => {
  platform = await testPlatform()
  const configuration = configurationText({
    'zone1/temperature': { type: 'double' },
    pressure_1: { type: 'double', mode: 'RW' },
  })
  const facts = { realm: 'exor', groups: [3], configuration }
  const { devices } = platform.register
  devices.set(oven, { label: 'Oven', orgResourceId: org, ...facts })
  devices.set(below, { label: 'Oven below', orgResourceId: 'exor.south', ...facts })
  devices.set(foreign, { label: 'Foreign', orgResourceId: 'acme', ...facts })
  ann = platform.member('ann', org)
  const eve = platform.member('eve', 'acme')
  const south = platform.member('sue', 'exor.south')
  const rows = (deviceId: string) =>
    ['Probe:1/zone1/temperature', 'Probe:1/pressure_1'].map((modelPath) => ({
      deviceId,
      modelPath,
      data: [[Date.now(), 1]] as [number, unknown][],
    }))
  await ann.bulkInsertTags({ params: { org }, query: {}, body: rows(oven) })
  await south.bulkInsertTags({ params: { org: 'exor.south' }, query: {}, body: rows(below) })
  await eve.bulkInsertTags({ params: { org: 'acme' }, query: {}, body: rows(foreign) })
})
afterAll(() => platform.close())

const search = (text: string, at = org) =>
  ann.searchValues({ params: { org: at }, query: { search: text } })

test('values are found by words of their path, in any order [R-16]', async () => {
  expect(await search('TEMP zone1')).toEqual([
    expect.objectContaining({
      deviceId: oven,
      deviceLabel: 'Oven',
      orgResourceId: org,
      modelPath: 'Probe:1/zone1/temperature',
      type: 'double',
    }),
  ])
  expect(await search('zone1/temp')).toHaveLength(1)
  expect(await search('nothing')).toEqual([])
})

test('a sign of a pattern is a letter like others', async () => {
  expect(await search('e_1')).toHaveLength(1)
  expect(await search('%%')).toEqual([])
  expect(await search('e\\1')).toEqual([])
})

test('other organizations and those below are found by who reaches them only [R-16]', async () => {
  const labels = async (at: string) =>
    (await search('temperature', at)).map(({ deviceLabel }) => deviceLabel).toSorted()
  expect(await labels(org)).toEqual(['Oven'])
  expect(await labels(`${org}.*`)).toEqual(['Oven'])
  platform.rights['ann'] = {
    [org]: { capability: { grants: { devices: everyAction }, deviceGroups: [] }, below: true },
  }
  expect(await labels(`${org}.*`)).toEqual(['Oven', 'Oven below'])
})

test('who may read no device, or not this path, finds nothing [R-16]', async () => {
  const as = (sub: string, capability: object) => {
    platform.rights[sub] = {
      [org]: { capability: { grants: {}, deviceGroups: [], ...capability }, below: false },
    }
    return platform.as(person(sub, 'exor', org), platformContract)
  }
  const asked = { params: { org }, query: { search: 'temperature' } }
  const none = as('nil', { grants: { models: everyAction } })
  await expect(none.searchValues(asked)).rejects.toMatchObject({ code: 'auth.missing_permission' })
  const grouped = as('gus', { deviceGroups: [{ mask: bitOf('read'), groups: [9] }] })
  expect(await grouped.searchValues(asked)).toEqual([])
})

test('too little to look for is named', async () => {
  await expect(search('x')).rejects.toMatchObject({ status: 400 })
})

test('values come with their newest where that is asked for, and only those that may be written', async () => {
  const query = { search: 'zone1 temp', newest: true }
  const [found] = await ann.searchValues({ params: { org }, query })
  expect(found?.last).toEqual({ t: expect.any(Number), v: 1 })
  const [plain] = await search('zone1 temp')
  expect(plain).not.toHaveProperty('last')
  const paths = async (who: TestPlatform['member'], sub: string) =>
    (
      await who(sub, org).searchValues({
        params: { org },
        query: { search: 'probe', writable: true },
      })
    ).map(({ modelPath }) => modelPath)
  expect(await paths(platform.member, 'ann')).toEqual(['Probe:1/pressure_1'])
  const reader = { grants: { devices: bitOf('read') }, deviceGroups: [] }
  platform.rights['rita'] = { [org]: { capability: reader, below: false } }
  const rita = platform.as(person('rita', 'exor', org), platformContract)
  const asked = { params: { org }, query: { search: 'probe', writable: true } }
  expect(await rita.searchValues(asked)).toEqual([])
})
