import { coreContract } from '@longreach/core/contract'
import { alarmsContract } from '@longreach/alarms/contract'
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
const dayMs = 86_400_000
const admin = () => server.as(server.people.administrator)
/** Vera until Tuesday 08:00, then Oskar until Wednesday 08:00, then nobody. */
const schedule = () =>
  admin().createSchedule({
    query,
    body: {
      name: 'Days',
      zone: 'UTC',
      layers: [
        {
          people: ['vera', 'oskar'],
          everyDays: 1,
          handOver: { day: 1, time: '08:00' },
          from: Date.UTC(2026, 0, 5, 8),
          to: Date.UTC(2026, 0, 7, 8),
        },
      ],
    },
  })
const look = () =>
  tellHandOvers({
    db: server.db,
    now: () => server.clock.now,
    clients: {
      core: server.server.asService(coreContract),
      alarms: server.server.asService(alarmsContract),
    },
    log: server.server.app.log,
  })
const mails = () =>
  server.post.taken
    .map(({ to, text }) => `${to[0]?.split('@')[0]}: ${/^Subject: (.*)$/m.exec(text)?.[1]}`)
    .toSorted()
const mailTo = (name: string) =>
  server.post.taken.findLast(({ to }) => to[0] === `${name}@plant.example`)!.text

test('a hand-over goes to both, with open alarms and the note; a gap is told to who keeps the schedule', async () => {
  const { id } = await schedule()
  await admin().createNotification({
    query,
    body: {
      name: 'On call',
      recipientFilters: [{ type: 'schedule', id }],
      longreach: { channels: ['mail'] },
    },
  })
  await look()
  await expect
    .poll(mails, patience)
    .toEqual([expect.stringContaining('vera: You are on call for Days until')])
  const device_id = await server.device(organization, 'Oven 7')
  const one = { org: organization, device_id, severity: 6, start: server.clock.now }
  await server.raise({ ...one, name: 'Too hot' })
  await expect.poll(() => mails().length, patience).toBe(2)
  const over = { ...one, name: 'Was over' }
  await server.raise(over)
  await server.decisions((rows) => rows.length === 2)
  server.pass(300_000)
  await expect.poll(() => mails().length, patience).toBe(3)
  await server.change({ ...over, active: false, ack_required: false }, 'closed')
  await server.as(server.people.viewer).setNote({
    params: { id },
    query,
    body: { text: 'Pump 3 is loud' },
  })
  server.post.taken.length = 0
  server.clock.now = new Date(Date.UTC(2026, 0, 6, 8, 1))
  await Promise.all([look(), look()])
  await look()
  await expect
    .poll(mails, patience)
    .toEqual([
      expect.stringContaining('oskar: You are on call for Days until'),
      'vera: Your turn on call for Days is over',
    ])
  for (const name of ['vera', 'oskar']) {
    const text = mailTo(name)
    expect(text).toContain('Note of vera: Pump 3 is loud')
    expect(text).toContain('Open alarms: 1')
    expect(text).toContain('Too hot')
    expect(text).not.toContain('Was over')
  }
  expect(mailTo('vera')).toContain('oskar is on call for Days now.')
  const { data } = await admin().schedules({ query })
  expect(data[0]?.note).toBeNull()
  server.post.taken.length = 0
  server.clock.now = new Date(Date.UTC(2026, 0, 7, 8, 1))
  await look()
  await expect
    .poll(mails, patience)
    .toEqual(['adam: Nobody is on call for Days', 'oskar: Your turn on call for Days is over'])
  expect(mailTo('adam')).toContain('no turn follows')
  expect(mailTo('oskar')).toContain('Nobody is on call for Days now.')
})

test('a person who is removed while on call leaves a gap that is told, and comes back', async () => {
  await schedule()
  await look()
  await expect.poll(() => mails().length, patience).toBe(1)
  server.post.taken.length = 0
  await server.database.pool.query(
    `delete from core.membership where user_id = (select id from core.app_user where username = 'vera' and realm = 'nordwerk')`,
  )
  try {
    await look()
    await look()
    await expect.poll(mails, patience).toEqual(['adam: Nobody is on call for Days'])
    expect(mailTo('adam')).toContain(
      'vera is on call for Days, but is no longer in the organization',
    )
  } finally {
    await server.database.pool.query(
      `insert into core.membership (user_id, organization_id)
       select u.id, o.id from core.app_user u, core.organization o
       where u.username = 'vera' and u.realm = 'nordwerk' and o.resource_id = $1`,
      [organization],
    )
  }
  await look()
  await expect.poll(() => mails().length, patience).toBe(2)
})

test('a schedule that has not begun says nothing', async () => {
  await admin().createSchedule({
    query,
    body: {
      name: 'Later',
      zone: 'UTC',
      layers: [
        {
          people: ['vera'],
          everyDays: 7,
          handOver: { day: 1, time: '08:00' },
          from: server.clock.now.getTime() + dayMs,
        },
      ],
    },
  })
  await look()
  expect(await server.db.selectFrom('message').selectAll().execute()).toEqual([])
})
