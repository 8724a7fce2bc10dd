import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest } from '../notifications-testing.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const organization = 'nordwerk.service'
const query = { organization }
const admin = () => server.as(server.people.administrator)
const posted = {
  name: 'Ovens',
  description: 'All ovens',
  minimumSeverity: 3,
  ackTime: 10,
  enabled: true,
  nameFilters: ['oven*'],
  extraFilters: ['tag == "T1"'],
  deviceGroupFilters: ['7', 8],
  recipientFilters: ['oskar', { type: 'user' as const, id: 'vera' }],
  days: [0, 'MONDAY'],
}
const create = (more: object = {}, caller = server.people.administrator) =>
  server.as(caller).createNotification({ query, body: { ...posted, ...more } })

test('a notification is created, listed, read, replaced and deleted as it was posted [C-29 in part] [E-18 in part]', async () => {
  const made = await create()
  expect(made).toMatchObject({ ...posted, realmId: 'nordwerk', orgResourceId: organization })
  const params = { id: made.id }
  expect(await admin().notification({ params, query })).toEqual(made)
  const listed = await admin().notifications({ query })
  expect(listed).toMatchObject({ totalElements: 1, number: 0, last: true, data: [made] })
  // Clients send back what they were answered.
  const replaced = await admin().replaceNotification({
    params,
    query,
    body: { ...made, name: 'Pumps', enabled: false },
  })
  expect(replaced).toMatchObject({ id: made.id, name: 'Pumps', enabled: false })
  expect((await admin().notifications({ query: { ...query, enabled: true } })).data).toEqual([])
  await admin().deleteNotification({ params, query })
  await expect(admin().notification({ params, query })).rejects.toMatchObject({ status: 404 })
  const both = await Promise.allSettled(
    [1, 2].map(() => admin().deleteNotification({ params, query })),
  )
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('another organization finds nothing, and without the permission nothing is changed', async () => {
  const { id } = await create()
  const params = { id }
  const beside = server.as(server.people.neighbour)
  const there = { organization: 'nordwerk.press' }
  const foreign = await Promise.allSettled([
    beside.notification({ params, query: there }),
    beside.deleteNotification({ params, query: there }),
    beside.replaceNotification({ params, query: there, body: posted }),
    server.as(server.people.foreigner).notification({ params, query }),
  ])
  expect(foreign).toMatchObject(
    foreign.map(() => ({ status: 'rejected', reason: { status: 404 } })),
  )
  expect((await beside.notifications({ query: there })).data).toEqual([])
  const viewer = server.as(server.people.viewer)
  expect((await viewer.notifications({ query })).data).toHaveLength(1)
  const refused = await Promise.allSettled([
    viewer.createNotification({ query, body: posted }),
    viewer.replaceNotification({ params, query, body: posted }),
    viewer.deleteNotification({ params, query }),
  ])
  expect(refused).toMatchObject(
    refused.map(() => ({ status: 'rejected', reason: { status: 403 } })),
  )
  expect(
    (await server.as(server.people.owner).notifications({ query: { organization: 'nordwerk.*' } }))
      .data,
  ).toHaveLength(1)
})

test.each([
  [400, 'name', { name: ' ' }],
  [400, 'minimumSeverity', { minimumSeverity: 7 }],
  [400, 'days.0', { days: ['someday'] }],
  [400, 'days.0', { days: [7] }],
  [400, 'longreach.zone', { longreach: { zone: 'Mars/Olympus' } }],
  [400, 'longreach.digest', { longreach: { digest: {} } }],
  [400, 'deviceGroupFilters', { deviceGroupFilters: ['ovens'] }],
  [422, 'extraFilters.0', { extraFilters: ['temperature == 5'] }],
  [422, 'extraFilters.1', { extraFilters: ['', 'name ~='] }],
  [422, 'recipientFilters', { recipientFilters: [] }],
  [422, 'recipientFilters.1', { recipientFilters: ['oskar', 'group:nobody'] }],
  [422, 'recipientFilters.0', { recipientFilters: ['nele'] }],
  [422, 'recipientFilters.0', { recipientFilters: [{ type: 'channel', id: 'x' }] }],
  [422, 'longreach.channels', { longreach: { channels: ['inbox', crypto.randomUUID()] } }],
])('%i names %s in %j', async (status, field, more) => {
  const refused = await create(more).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status })
  expect(JSON.stringify((refused as { details: unknown }).details)).toContain(field)
})

test('an address outside needs the permission to update, and gets what is open here', async () => {
  const outside = { recipientFilters: ['guard@security.example'] }
  await create(outside)
  const device_id = await server.device(organization, 'Oven 7')
  const alarm = {
    org: organization,
    device_id,
    name: 'oven door',
    tag: 'T1',
    severity: 6,
    start: server.clock.now,
  }
  await server.db
    .updateTable('notification')
    .set({
      settings: JSON.stringify({
        ...posted,
        ...outside,
        deviceGroupFilters: [],
        days: [],
        ackTime: 0,
        longreach: {
          channels: ['mail'],
          escalation: null,
          digest: null,
          onReturn: false,
          times: [],
          zone: 'UTC',
          group: 'organization',
          below: false,
        },
      }),
    })
    .execute()
  await server.raise(alarm)
  const mail = await server.post.mailTo('guard@security.example')
  expect(mail.text).toContain('[Critical] Oven 7: oven door')
  const [delivery] = await server.deliveries((rows) => rows.length === 1)
  expect(delivery).toMatchObject({ outside: true })
})

test('a trial says which gate stops an alarm, and who would be told', async () => {
  const device_id = await server.device(organization, 'Oven 7')
  const start = server.clock.now
  const hot = await server.raise({
    org: organization,
    device_id,
    name: 'oven hot',
    tag: 'T1',
    severity: 6,
    start,
  })
  const door = await server.raise({
    org: organization,
    device_id,
    name: 'door',
    severity: 6,
    start,
  })
  const notification = { ...posted, deviceGroupFilters: [], days: [] }
  const tried = await admin().tryNotification({
    query,
    body: { notification, alarmIds: [hot, door] },
  })
  expect(tried.data.map(({ name, gate }) => [name, gate])).toEqual([
    ['oven hot', ''],
    ['door', 'name'],
  ])
  expect(tried.recipients.map(({ name }) => name).toSorted()).toEqual(['oskar', 'vera'])
  expect(await server.db.selectFrom('delivery').selectAll().execute()).toEqual([])
})
