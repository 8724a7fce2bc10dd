import { everyAction } from '@longreach/authorization/capability'
import { coreContract } from '@longreach/core/contract'
import { mappingsContract } from '@longreach/mappings/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
beforeAll(async () => {
  server = await testAlarms()
  ann = server.member('ann', 'exor')
})
afterAll(() => server.close())

const { deviceCreated, deviceChanged, deviceMoved, deviceLife } = mappingsContract.events
const query = {}
const start = Date.UTC(2026, 0, 5)

const reportOf = (deviceId: string, name: string, state: number, t = start) => ({
  deviceId,
  name,
  description: '',
  tag: '',
  severity: 3,
  state,
  startedAt: start,
  changedAt: t,
  heardAt: t,
  certificate: 'c1',
  value: null,
})

/** Device with an alarm that is open and one that is over. */
async function withAlarms(org = 'exor') {
  const deviceId = server.addDevice(org)
  await server.report(
    reportOf(deviceId, 'open', 11),
    reportOf(deviceId, 'over', 11),
    reportOf(deviceId, 'over', 1, start + 1),
  )
  return deviceId
}
const alarmsOf = async (deviceId: string, who = ann) =>
  (
    await who.searchAlarms({
      query,
      body: { data: `deviceId == "${deviceId}"`, orderBy: 'name', orderDir: 'asc' },
    })
  ).data
const life = (deviceId: string, state: 'deleted' | 'restored' | 'purged') =>
  server.tell(deviceLife, [{ deviceId, orgResourceId: 'exor', label: '', state }])

test('a label and device groups follow the device', async () => {
  const deviceId = await withAlarms()
  const gus = server.member('gus', 'exor', {
    capability: { grants: { alarms: 1 }, deviceGroups: [{ mask: 1, groups: [9] }] },
  })
  expect(await alarmsOf(deviceId, gus)).toEqual([])
  const device = server.register.devices.get(deviceId)!
  server.register.devices.set(deviceId, { ...device, label: 'Oven 8', groups: [9] })
  await server.tell(deviceChanged, [{ deviceId, configurationChanged: false }])
  expect((await alarmsOf(deviceId, gus)).map(({ deviceLabel }) => deviceLabel)).toEqual([
    'Oven 8',
    'Oven 8',
  ])
  const created = server.addDevice('exor')
  await server.tell(deviceCreated, [{ deviceId: created, label: '', orgResourceId: 'exor' }])
  const known = await server.tables
    .selectFrom('device')
    .select('label')
    .where('device_id', '=', created)
    .execute()
  expect(known).toEqual([{ label: 'Oven 7' }])
})

test('what is open ends when its device moves, and the history goes along', async () => {
  const deviceId = await withAlarms()
  await ann.acknowledge({ query, body: { ids: (await alarmsOf(deviceId)).map(({ id }) => id) } })
  const device = server.register.devices.get(deviceId)!
  server.register.devices.set(deviceId, { ...device, orgResourceId: 'acme', groups: [] })
  await server.tell(deviceMoved, [
    { deviceId, label: 'Oven 7', from: 'exor', to: 'acme', notes: false },
  ])
  expect(await alarmsOf(deviceId)).toEqual([])
  const eve = server.member('eve', 'acme')
  const found = await alarmsOf(deviceId, eve)
  expect(
    found.map(({ name, status, ack, orgResourceId }) => [name, status, ack, orgResourceId]),
  ).toEqual([
    ['open', 'NOT_ACTIVE', 'NOT_REQUIRED', 'acme'],
    ['over', 'NOT_ACTIVE', 'NOT_REQUIRED', 'acme'],
  ])
  const { data } = await eve.alarmHistory({ params: { id: found[0]!.id }, query })
  expect(data.map(({ longreach }) => longreach.kind)).toEqual(['raised', 'moved'])
  expect(await eve.severityCount({ query })).toEqual([])
  const commands = await server.tables
    .selectFrom('command')
    .select('state')
    .where('device_id', '=', deviceId)
    .execute()
  expect(commands).toEqual([{ state: 'DONE' }])
})

test('a device in the trash hides its alarms, and its restoration shows them', async () => {
  const deviceId = await withAlarms('exor.trash')
  const tia = server.member('tia', 'exor.trash')
  const seen = async () => [
    (await alarmsOf(deviceId, tia)).length,
    (await tia.severityCount({ query })).length,
    (await tia.severityCountByDevice({ query })).data.length,
    (await tia.listAlarms({ query, body: {} })).counts.total,
  ]
  expect(await seen()).toEqual([2, 1, 1, 1])
  const id = (await alarmsOf(deviceId, tia))[0]!.id
  await life(deviceId, 'deleted')
  expect(await seen()).toEqual([0, 0, 0, 0])
  await expect(tia.acknowledge({ query, body: { id } })).rejects.toMatchObject({ status: 404 })
  await life(deviceId, 'restored')
  expect(await seen()).toEqual([2, 1, 1, 1])
})

test('a purged device and a purged organization leave nothing', async () => {
  const leftOf = async (deviceId: string) => {
    const tables = ['device', 'occurrence', 'device_count', 'command'] as const
    const counts = await Promise.all(
      tables.map((table) =>
        server.tables
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .where('device_id', '=', deviceId)
          .executeTakeFirstOrThrow(),
      ),
    )
    return counts.map(({ n }) => n)
  }
  const one = await withAlarms()
  await ann.acknowledge({ query, body: { ids: (await alarmsOf(one)).map(({ id }) => id) } })
  expect(await leftOf(one)).toEqual([1, 2, 1, 1])
  server.register.devices.delete(one)
  await life(one, 'purged')
  expect(await leftOf(one)).toEqual([0, 0, 0, 0])
  const other = await withAlarms('gone')
  const kept = await withAlarms('gone-not')
  /** All that an organization has beside alarms. */
  const fillOrganization = async (org: string, deviceId: string) => {
    const capability = {
      grants: { alarms: everyAction, organizations: everyAction, devices: everyAction },
      deviceGroups: [],
    }
    const gia = server.member(`gia of ${org}`, org, { capability })
    await server.addRule(org)
    const body = { name: 'Mine', content: { list: 'open', filters: {} } } as const
    await gia.createAlarmView({ query, body })
    await gia.saveAlarmSettings({ query, body: { keepDays: 90, noteClasses: null } })
    const target = { type: 'device', id: deviceId } as const
    const until = Date.now() + 3_600_000
    await gia.createShelf({ query, body: { target, reason: 'maintenance', until } })
  }
  const besideOf = async (org: string) => {
    const tables = ['rule', 'alarm_view', 'alarm_settings', 'shelf']
    const counts = tables.map((table) =>
      server.database.pool.query<{ n: number }>(
        `select count(*)::int as n from alarms.${table} where org = $1`,
        [org],
      ),
    )
    return (await Promise.all(counts)).map(({ rows }) => rows[0]?.n)
  }
  await fillOrganization('gone', other)
  await fillOrganization('gone-not', kept)
  expect(await besideOf('gone')).toEqual([1, 1, 1, 1])
  const organizations = [{ id: 1, resourceId: 'gone' }]
  await server.tell(coreContract.events.organizationPurged, [
    { resourceId: 'gone', organizations, at: start },
  ])
  expect(await leftOf(other)).toEqual([0, 0, 0, 0])
  expect(await leftOf(kept)).toEqual([1, 2, 1, 0])
  expect(await besideOf('gone')).toEqual([0, 0, 0, 0])
  expect(await besideOf('gone-not')).toEqual([1, 1, 1, 1])
  const { rows } = await server.database.pool.query(
    `select payload->>'kind' as kind, count(*)::int as n from bus.event where topic = 'alarms.changed'
     and payload->>'deviceId' = any($1) and payload->>'kind' = 'purged' group by 1`,
    [[one, other]],
  )
  expect(rows).toEqual([{ kind: 'purged', n: 2 }])
})
