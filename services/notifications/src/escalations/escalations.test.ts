import { alarmsContract } from '@longreach/alarms/contract'
import { coreContract } from '@longreach/core/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'
import { tellHandOvers } from './hand-over.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  const { operator, viewer, administrator } = server.people
  await server.address(operator, 'oskar@plant.example')
  await server.address(viewer, 'vera@plant.example')
  await server.address(administrator, 'adam@plant.example')
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const organization = 'nordwerk.service'
const query = { organization }
const minute = 60_000
const admin = () => server.as(server.people.administrator)
const user = (id: string) => ({ type: 'user' as const, id })
const escalation = (steps: { afterMin: number; to: ReturnType<typeof user>[] }[], repeat = 0) =>
  admin().createEscalation({ query, body: { name: 'Night', steps, repeat } })
const rule = (id: string) =>
  admin().createNotification({
    query,
    body: {
      name: 'Ovens',
      recipientFilters: ['oskar'],
      longreach: { channels: ['mail'], escalation: id },
    },
  })
const schedule = (more: object = {}) =>
  admin().createSchedule({
    query,
    body: {
      name: 'Weeks',
      zone: 'UTC',
      layers: [
        {
          people: ['vera'],
          everyDays: 7,
          handOver: { day: 1, time: '08:00' },
          from: server.clock.now.getTime() - 86_400_000,
        },
      ],
      ...more,
    },
  })
const alarm = async () => ({
  org: organization,
  device_id: await server.device(organization, 'Oven 7'),
  name: 'Too hot',
  severity: 6,
  start: server.clock.now,
})
const sent = async (count: number) => {
  await expect.poll(recipients, patience).toHaveLength(count)
}
const recipients = () => server.post.taken.map(({ to }) => to[0]?.split('@')[0])
const runs = () => server.db.selectFrom('escalation_run').selectAll().execute()

test('each step tells its people until somebody acknowledges [C-29 in part]', async () => {
  const { id } = await escalation([
    { afterMin: 5, to: [user('vera')] },
    { afterMin: 10, to: [user('adam')] },
    { afterMin: 10, to: [user('oskar')] },
  ])
  await rule(id)
  const one = await alarm()
  await server.raise(one)
  await sent(1)
  server.pass(5 * minute)
  await sent(2)
  expect(server.post.taken[1]?.text).toContain('Not acknowledged for 5 min: Oven 7: Too hot')
  server.pass(10 * minute)
  await sent(3)
  await server.change({ ...one, ack_required: false }, 'acknowledged')
  server.pass(10 * minute)
  await expect.poll(runs, patience).toEqual([])
  expect(recipients()).toEqual(['oskar', 'vera', 'adam'])
})

test('a shelf ends the escalation of the alarms that it holds', async () => {
  const { id } = await escalation([{ afterMin: 5, to: [user('vera')] }])
  await rule(id)
  const one = await alarm()
  await server.raise(one)
  await sent(1)
  await server.shelve({ org: organization, device_id: one.device_id }, 3_600_000)
  server.pass(5 * minute)
  await expect.poll(runs, patience).toEqual([])
  expect(recipients()).toEqual(['oskar'])
})

test('steps are repeated as often as they say, and then end', async () => {
  const { id } = await escalation([{ afterMin: 0, to: [user('vera')] }], 2)
  await rule(id)
  await server.raise(await alarm())
  await sent(2)
  for (const count of [3, 4]) {
    server.pass(minute)
    await sent(count)
  }
  await expect.poll(runs, patience).toEqual([])
  expect(recipients()).toEqual(['oskar', 'vera', 'vera', 'vera'])
})

test('with nobody on call the next step comes at once, and it is said', async () => {
  const { id: empty } = await schedule({ layers: [] })
  const { id } = await escalation([
    { afterMin: 5, to: [{ type: 'schedule', id: empty } as never] },
    { afterMin: 30, to: [user('adam')] },
  ])
  await rule(id)
  await server.raise(await alarm())
  await sent(1)
  server.pass(5 * minute)
  await sent(2)
  expect(recipients()).toEqual(['oskar', 'adam'])
  const { data } = await admin().deliveries({ query })
  expect(data.find(({ gate }) => gate === 'nobody_on_call')).toMatchObject({
    recipient: 'Weeks',
    state: 'DROPPED',
  })
})

test('the person on call gets the alarm, hears of the turn, and can be stood in for', async () => {
  const { id } = await schedule()
  await admin().createNotification({
    query,
    body: {
      name: 'On call',
      recipientFilters: [{ type: 'schedule', id }],
      longreach: { channels: ['mail'] },
    },
  })
  await server.raise(await alarm())
  await sent(1)
  expect(recipients()).toEqual(['vera'])
  const deps = {
    db: server.db,
    now: () => server.clock.now,
    clients: {
      core: server.server.asService(coreContract),
      alarms: server.server.asService(alarmsContract),
    },
    log: server.server.app.log,
  }
  await tellHandOvers(deps)
  await tellHandOvers(deps)
  await sent(2)
  expect(server.post.taken[1]?.text).toContain('You are on call for Weeks until')
  const operator = server.as(server.people.administrator)
  const to = server.clock.now.getTime() + 60 * minute
  await operator.addOverride({ params: { id }, query, body: { person: 'oskar', to } })
  const { person, until, turns } = await admin().onCallNow({ params: { id }, query })
  expect({ person, until }).toEqual({ person: 'oskar', until: to })
  expect(turns.map((turn) => turn.person)).toEqual(['oskar', 'vera'])
  await expect(
    server
      .as(server.people.viewer)
      .addOverride({ params: { id }, query, body: { person: 'adam', to } }),
  ).rejects.toMatchObject({ status: 403 })
})

test('escalations and schedules name people who are there, once, and stay while they are used', async () => {
  await expect(escalation([{ afterMin: 0, to: [user('nobody')] }])).rejects.toMatchObject({
    status: 422,
    details: { field: 'steps.0.to.0' },
  })
  await expect(schedule({ overrides: [{ person: 'nele', from: 1, to: 2 }] })).rejects.toMatchObject(
    { status: 422, details: { field: 'overrides.0.person' } },
  )
  await expect(schedule({ zone: 'Mars/Olympus' })).rejects.toMatchObject({ status: 400 })
  const both = await Promise.allSettled([schedule(), schedule({ name: 'WEEKS' })])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { id } = await escalation([{ afterMin: 0, to: [user('vera')] }])
  await rule(id)
  const params = { id }
  await expect(admin().deleteEscalation({ params, query })).rejects.toMatchObject({ status: 409 })
  const beside = server.as(server.people.neighbour)
  await expect(
    beside.deleteEscalation({ params, query: { organization: 'nordwerk.press' } }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(
    server.as(server.people.viewer).deleteEscalation({ params, query }),
  ).rejects.toMatchObject({ status: 403 })
})
