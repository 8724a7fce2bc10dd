import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
} from '@longreach/core/testing'
import { publishAll } from '@longreach/kit/events'
import type { Caller } from '@longreach/kit/service'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'
import { deviceStateEvents } from './device-state-contract.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
const params = { org: organization }
const keys = ['alarms', 'alarms_max_severity']
const counts = { n_active_0: 0, n_active_1: 0, n_active_2: 0, n_active_3: 0, n_active_4: 0 }
/** Attributes of each device here: seven counts, and the greatest severity. */
const open = { alarms: { ...counts, n_active_5: 0, n_active_6: 4711 }, alarms_max_severity: 6 }

type Who = keyof typeof people
/** Callers by what they see: alarms of all devices, of none, of those in the group without a limit to paths. */
const people: Record<'whole' | 'silent' | 'paths' | 'mixed', Caller | undefined> = {
  whole: undefined,
  silent: undefined,
  paths: undefined,
  mixed: undefined,
}
const sees: [Who, string[]][] = [
  ['whole', ['Oven', 'Press']],
  ['silent', []],
  ['paths', []],
  ['mixed', ['Press']],
]
const made: Record<string, string> = {}
const groups: Record<string, number> = {}
const callerOf = (who: Who) => people[who]!
const as = (who: Who) => server.as(callerOf(who), mappingsContract)
const administrator = () => server.as(seeded.people.administrator, mappingsContract)

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  const lat = { Oven: 40, Press: 50 }
  for (const label of ['Oven', 'Press'] as const) await deviceIn(label, lat[label])
  const foreign = server.as(seeded.people.foreigner, mappingsContract)
  const pump = { label: 'Pump', position: { lat: 45, lon: 9 } }
  made['Pump'] = (await foreign.createDevice({ query: { organization: 'acqua' }, body: pump })).id
  await server.settle()
  await reportOpen(Object.values(made))
  await makePeople()
})
afterAll(() => server.close())

async function deviceIn(label: string, lat: number) {
  const body = { label, position: { lat, lon: 8 } }
  const { id } = await administrator().createDevice({ query, body })
  await administrator().setAttribute({ params: { id }, query, body: { key: 'site', value: 'K' } })
  made[label] = id
  await server.settle()
  const inCore = server.as(seeded.people.administrator, coreContract)
  const policy = await inCore.createSecurityPolicy({ params, body: { name: `Of ${label}` } })
  groups[label] = policy.id
  await inCore.changePolicyDevices({
    params: { ...params, policy: String(policy.id) },
    body: { add: [id], remove: [] },
  })
}

async function reportOpen(ids: string[]) {
  const told = ids.map((deviceId) => ({ deviceId, counts: [0, 0, 0, 0, 0, 0, 4711], max: 6 }))
  await server.database.db
    .transaction()
    .execute((tx) => publishAll(tx, deviceStateEvents.alarmCounts, told))
  await server.settle()
}

async function makePeople() {
  const inCore = server.as(seeded.people.administrator, coreContract)
  const role = (name: string, body: object) =>
    inCore.createRole({ params, body: { name, label: name, ...body } })
  const onDevices = (actions: string[], group?: string) => ({
    resource: 'devices',
    actions,
    ...(group && { deviceGroup: groups[group] }),
  })
  const modelPathPermissions = [{ modelPath: 'Oven:1/heat', read: true, history: true }]
  const some = { type: 'DEVICE', modelPathPermissions }
  await role('alarms', { rules: [{ resource: 'alarms', actions: ['read'] }] })
  await role('devices', { rules: [onDevices(['read', 'update', 'delete'])] })
  await role('paths', { ...some, rules: [onDevices(['read'])] })
  await role('oven', { ...some, rules: [onDevices(['read'], 'Oven')] })
  await role('press', { type: 'DEVICE', rules: [onDevices(['read'], 'Press')] })
  const roles: Record<Who, string[]> = {
    whole: ['alarms', 'devices'],
    silent: ['devices'],
    paths: ['alarms', 'paths'],
    mixed: ['alarms', 'oven', 'press'],
  }
  const { service: org } = seeded.organizations
  for (const [who, names] of Object.entries(roles) as [Who, string[]][]) {
    const joining = { org, username: who, roles: names }
    people[who] = await addPerson(server, seeded.people.owner, joining)
  }
  await server.settle()
}

type Shown = { label: string; attributes: Record<string, unknown> }
/** Labels of the devices that are shown with their alarms; all of them or none are there. */
function withAlarms(rows: readonly Shown[]) {
  const shown = rows.filter(({ attributes }) => keys.some((key) => key in attributes))
  for (const { attributes } of shown) expect(attributes).toMatchObject(open)
  return shown.map(({ label }) => label).toSorted()
}

describe.each(sees)('who sees alarms as %s does', (who, labels) => {
  const found = async (body: object) =>
    (await as(who).searchDevices({ query, body })).data.map(({ label }) => label).toSorted()
  const others = ['Oven', 'Press'].filter((label) => !labels.includes(label))

  test('finds counts in answers of these devices alone, and what else they have in all [C-26] [A-03]', async () => {
    const { data } = await as(who).devices({ query: { ...query, page: 0 } })
    expect(withAlarms(data)).toEqual(labels)
    expect(data.map(({ attributes }) => attributes['site'])).toEqual(['K', 'K'])
    const searched = await as(who).searchDevices({ query, body: {} })
    expect(withAlarms(searched.data)).toEqual(labels)
    for (const label of ['Oven', 'Press']) {
      const { value } = await as(who).device({ params: { id: made[label]! }, query })
      expect(withAlarms([value])).toEqual(labels.filter((one) => one === label))
    }
  })

  test('searches by counts of these devices alone [C-26] [A-03]', async () => {
    expect(await found({ data: 'attributes.alarms.n_active_6 > 0' })).toEqual(labels)
    expect(await found({ data: 'attributes.alarms_max_severity >= 0' })).toEqual(labels)
    expect(await found({ data: 'attributes.alarms ~= "4711"' })).toEqual(labels)
    expect(await found({ data: 'attributes.alarms_max_severity.keyword in (5, 6)' })).toEqual(
      labels,
    )
    expect(await found({ data: 'not (attributes.alarms.n_active_6 == 4711)' })).toEqual(others)
    const field = { searchField: 'attributes.alarms_max_severity', searchValue: '6' }
    expect(await found({ filters: field })).toEqual(labels)
    expect(await found({ filters: { existingFields: ['attributes.alarms'] } })).toEqual(labels)
    // Words are compared for everybody alike, so counts are in nobody's.
    expect(await found({ search: '4711' })).toEqual([])
    expect(await found({ data: 'attributes.site == "K"' })).toEqual(['Oven', 'Press'])
  })

  test('counts devices of a saved view by these alone', async () => {
    const content = { question: { data: 'attributes.alarms_max_severity == 6' } }
    const body = { name: `Bad for ${who}`, content }
    const { id } = await as(who).createSegment({ query, body })
    const { data } = await as(who).segments({ query: { ...query, counts: true } })
    expect(data.find((one) => one.id === id)?.count).toBe(labels.length)
    expect(await found({ segment: id })).toEqual(labels)
  })

  test('adds up counts of these devices alone, in figures and on the map', async () => {
    const worst = 'attributes.alarms_max_severity'
    const many = 'attributes.alarms.n_active_6'
    const statFields = [worst, many]
    const body = { statFields, countDistinct: [worst], geoTileGridPrecision: 10 }
    const figures = await as(who).deviceAggregations({ query, body })
    const count = labels.length
    const most = count === 0 ? null : 6
    expect(figures.stats?.[worst]).toMatchObject({ count, max: most })
    expect(figures.stats?.[many]).toMatchObject({ count, sum: 4711 * count })
    expect(figures.countDistinct?.[worst]).toBe(Math.min(1, count))
    const buckets = figures.geogrid?.buckets ?? []
    expect(buckets).toHaveLength(2)
    expect(withAlarms(buckets.map(({ doc }) => doc))).toEqual(labels)
    const marked = buckets.flatMap((bucket) => {
      const { max } = (bucket as unknown as Record<string, { max: number | null }>)[worst]!
      return max === null ? [] : [bucket.doc.label]
    })
    expect(marked.toSorted()).toEqual(labels)
  })

  test('finds the names and values of these attributes if there is such a device', async () => {
    const names = await as(who).attributeKeys({ query })
    expect(names.filter((name) => keys.includes(name))).toEqual(labels.length > 0 ? keys : [])
    expect(names).toContain('site')
    const values = (key: string) => as(who).attributeValues({ params: { key }, query })
    expect(await values('alarms_max_severity')).toEqual(labels.length > 0 ? ['6'] : [])
    expect(await values('alarms')).toHaveLength(labels.length > 0 ? 1 : 0)
    expect(await values('site')).toEqual(['K'])
  })

  test('reads counts of these devices alone in an exported list', async () => {
    const columns = ['label', 'attributes.alarms_max_severity', 'attributes.alarms.n_active_6']
    const body = { question: {}, columns: columns.map((field) => ({ field, label: field })) }
    const response = await server.fetchAs(callerOf(who))(
      `/svc/mappings/api/v1/devices/export?organization=${organization}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    )
    const lines = (await response.text()).split('\r\n').slice(1)
    const lineOf = (label: string) => `${label},${labels.includes(label) ? '6,4711' : ','}`
    expect(lines).toEqual([lineOf('Oven'), lineOf('Press'), ''])
  })
})

test('answers to changes hold no counts for who does not see alarms, also from the trash', async () => {
  const at = { params: { id: made['Oven']! }, query }
  const key = { key: 'site', value: 'K' }
  const answers = async (who: Who) => {
    const set = await as(who).setAttribute({ ...at, body: key })
    const changed = await as(who).updateDevice({ ...at, body: { description: 'x' } })
    const deleted = await as(who).deleteDevice(at)
    const { data } = await as(who).deletedDevices({ query: { ...query, page: 0 } })
    const restored = await as(who).restoreDevice({ ...at, body: {} })
    return [set, changed, deleted.value, ...data, restored.value]
  }
  expect(withAlarms(await answers('silent'))).toEqual([])
  expect(withAlarms(await answers('whole'))).toEqual(Array(5).fill('Oven'))
})

test('another organization sees its own counts alone', async () => {
  const foreign = server.as(seeded.people.foreigner, mappingsContract)
  const body = { data: 'attributes.alarms.n_active_6 > 0' }
  const own = await foreign.searchDevices({ query: { organization: 'acqua.*' }, body })
  expect(withAlarms(own.data)).toEqual(['Pump'])
  const asked = { params: { id: made['Oven']! }, query: { organization: 'acqua' } }
  await expect(foreign.device(asked)).rejects.toMatchObject({ status: 404 })
  const elsewhere = as('whole').device({ params: { id: made['Pump']! }, query })
  await expect(elsewhere).rejects.toMatchObject({ status: 404 })
})
