import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  await server.address(server.people.operator, 'oskar@plant.example')
  await server.address(server.people.viewer, 'vera@plant.example')
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const org = 'nordwerk.service'
const query = { organization: org }
const minute = 60_000
const admin = () => server.as(server.people.administrator)
const rule = (longreach: object) =>
  admin().createNotification({
    query,
    body: {
      name: 'Ovens',
      recipientFilters: ['oskar'],
      longreach: { channels: ['mail'], ...longreach },
    },
  })
const raise = async (severity: number) => {
  const device_id = await server.device(org, 'Oven 7')
  return server.raise({ org, device_id, name: 'Too hot', severity })
}
const mails = () => server.post.taken.map(({ to }) => to[0]?.split('@')[0])

test('a restart in the middle of a digest loses no alarm, and tells it once', async () => {
  await rule({ digest: { everyH: 6 } })
  await raise(5)
  await server.decisions((rows) => rows[0]?.state === 'GROUPED')
  await server.restart()
  expect(mails()).toEqual([])
  server.pass(6 * 60 * minute)
  await expect.poll(mails, patience).toEqual(['oskar'])
  expect(server.post.taken[0]?.text).toContain('Subject: Summary: 1 open, 0 over')
  await server.restart()
  const rows = await server.deliveries((all) => all.every(({ state }) => state === 'SENT'))
  expect(rows).toHaveLength(1)
})

test('a restart in the middle of an escalation takes each step once', async () => {
  const { id } = await admin().createEscalation({
    query,
    body: { name: 'Night', steps: [{ afterMin: 5, to: [{ type: 'user', id: 'vera' }] }] },
  })
  await rule({ escalation: id })
  await raise(6)
  await expect.poll(mails, patience).toEqual(['oskar'])
  await server.restart()
  server.pass(5 * minute)
  await expect.poll(mails, patience).toEqual(['oskar', 'vera'])
  await server.restart()
  await expect
    .poll(() => server.db.selectFrom('escalation_run').selectAll().execute(), patience)
    .toEqual([])
  expect(mails()).toEqual(['oskar', 'vera'])
})

test('a message that waits for its next attempt is sent after a restart', async () => {
  await rule({})
  server.server.site.mail = { url: 'smtp://127.0.0.1:9', from: 'a@longreach.test' }
  await raise(6)
  await server.deliveries(([row]) => row?.state === 'WAITING' && row.attempt === 1)
  await server.restart()
  server.server.site.mail = server.post.settings
  server.pass(minute)
  await expect.poll(mails, patience).toEqual(['oskar'])
})
