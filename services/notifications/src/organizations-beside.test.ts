import { coreContract } from '@longreach/core/contract'
import { alarmsContract } from '@longreach/alarms/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginEscalation } from './escalations/escalation-store.ts'
import { openAlarmsOf } from './escalations/handed-alarms.ts'
import { type NotificationsTest, notificationsTest } from './notifications-testing.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  await server.address(server.people.operator, 'oskar@plant.example')
  await server.address(server.people.neighbour, 'nele@plant.example')
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const organization = 'nordwerk.service'
const query = { organization }
const beside = { organization: 'nordwerk.press' }
const admin = () => server.as(server.people.administrator)
const neighbour = () => server.as(server.people.neighbour)
type Calls = ReturnType<NotificationsTest['as']>
type Where = { organization: string }

const kinds = [
  {
    table: 'channel',
    most: 200,
    make: (calls: Calls, asked: Where, name: string) =>
      calls.createChannel({
        query: asked,
        body: { name, type: 'webhook', config: { url: 'http://127.0.0.1:9/' } },
      }),
  },
  {
    table: 'schedule',
    most: 100,
    make: (calls: Calls, asked: Where, name: string) =>
      calls.createSchedule({ query: asked, body: { name, zone: 'UTC', layers: [] } }),
  },
  {
    table: 'escalation',
    most: 100,
    make: (calls: Calls, asked: Where, name: string) =>
      calls.createEscalation({
        query: asked,
        body: {
          name,
          steps: [{ afterMin: 0, to: [{ type: 'user', id: asked === query ? 'oskar' : 'nele' }] }],
        },
      }),
  },
  {
    table: 'notification',
    most: 500,
    make: (calls: Calls, asked: Where, name: string) =>
      calls.createNotification({
        query: asked,
        body: { name, recipientFilters: [asked === query ? 'oskar' : 'nele'] },
      }),
  },
] as const

test.each(kinds)(
  'an organization that is full of $table rows leaves number and names of those beside it free',
  async ({ table, most, make }) => {
    await make(admin(), query, 'Same')
    await server.server.database.pool.query(
      `insert into notifications.${table} select (jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid(), 'name', 'filled ' || n))).* from notifications.${table} t, generate_series(2, ${most}) n
       where t.name = 'Same'`,
    )
    await expect(make(admin(), query, 'One more')).rejects.toMatchObject({
      status: 422,
      code: expect.stringContaining('too_many'),
    })
    expect(await make(neighbour(), beside, 'Same')).toMatchObject({ name: 'Same' })
  },
)

test('rules name no channel, schedule or escalation of an organization beside', async () => {
  const [channel, schedule, escalation] = [
    await kinds[0].make(admin(), query, 'Hook'),
    await kinds[1].make(admin(), query, 'Days'),
    await kinds[2].make(admin(), query, 'Steps'),
  ]
  const post = (more: object) =>
    neighbour().createNotification({
      query: beside,
      body: { name: 'Beside', recipientFilters: ['nele'], ...more },
    })
  for (const [field, more] of [
    ['recipientFilters.0', { recipientFilters: [{ type: 'channel', id: channel.id }] }],
    ['recipientFilters.0', { recipientFilters: [{ type: 'schedule', id: schedule.id }] }],
    ['longreach.channels', { longreach: { channels: ['inbox', channel.id] } }],
  ] as const) {
    await expect(post(more)).rejects.toMatchObject({ status: 422, details: { field } })
  }
  // An escalation may be made after the rule that names it, so it is looked up when it would begin.
  await server.db.transaction().execute((tx) =>
    beginEscalation(
      tx,
      {
        escalationId: escalation.id,
        org: beside.organization,
        ruleId: crypto.randomUUID(),
        messageId: crypto.randomUUID(),
        alarms: [],
      },
      server.clock.now,
    ),
  )
  expect(await server.db.selectFrom('escalation_run').selectAll().execute()).toEqual([])
})

test('a hand-over tells no alarm of an organization beside whose rule writes the id of the schedule', async () => {
  const { id } = await kinds[1].make(admin(), query, 'Days')
  await neighbour().createNotification({
    query: beside,
    body: { name: 'Beside', description: id, recipientFilters: ['nele'] },
  })
  await admin().createNotification({
    query,
    body: { name: 'Own', description: id, recipientFilters: ['oskar'] },
  })
  const raised: string[] = []
  for (const org of [organization, beside.organization]) {
    const device_id = await server.device(org, `Oven of ${org}`)
    raised.push(await server.raise({ org, device_id, name: 'Too hot', severity: 6 }))
  }
  await server.decisions((rows) => rows.length === 2 && rows.every(({ state }) => state === 'TOLD'))
  const clients = {
    core: server.server.asService(coreContract),
    alarms: server.server.asService(alarmsContract),
  }
  const deps = { db: server.db, now: () => server.clock.now, clients }
  const open = await openAlarmsOf(deps, { id, org: organization })
  expect(open.map((alarm) => alarm.alarm_id)).toEqual([raised[0]])
})

test('who asks why, and who was told, learns of rules and deliveries of their own reach alone', async () => {
  const root = server.as(server.people.owner)
  const rule = (calls: Calls, asked: Where, name: string, to: string) =>
    calls.createNotification({
      query: asked,
      body: { name, recipientFilters: [to], longreach: { below: true } },
    })
  await rule(admin(), query, 'Own', 'oskar')
  await rule(neighbour(), beside, 'Beside', 'nele')
  await rule(root, { organization: 'nordwerk' }, 'Above', 'owner')
  const device_id = await server.device(organization, 'Oven 7')
  const id = await server.raise({ org: organization, device_id, name: 'Too hot', severity: 6 })
  await server.deliveries((rows) => new Set(rows.map(({ org }) => org)).size === 2)
  const names = async (calls: Calls, asked: Where, user: string) =>
    (await calls.why({ query: { ...asked, alarm: id, user } })).rules.map(({ name }) => name)
  expect(await names(admin(), query, 'oskar')).toEqual(['Own'])
  expect(await names(root, { organization: 'nordwerk.*' }, 'owner')).toEqual(['Above', 'Own'])
  const told = async (calls: Calls, asked: Where) => {
    const { data } = await calls.told({ query: { ...asked, alarm: id } })
    return new Set(data.map(({ recipient }) => recipient))
  }
  expect(await told(admin(), query)).toEqual(new Set(['oskar']))
  expect(await told(root, { organization: 'nordwerk.*' })).toEqual(new Set(['oskar', 'owner']))
})
