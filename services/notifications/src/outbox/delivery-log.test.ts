import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest } from '../notifications-testing.ts'

let server: NotificationsTest
const organization = 'nordwerk.service'
const query = { organization }
beforeAll(async () => {
  server = await notificationsTest()
  await server.address(server.people.operator, 'oskar@plant.example')
  await server.as(server.people.administrator).createNotification({
    query,
    body: { name: 'Ovens', recipientFilters: ['oskar'], longreach: { channels: ['mail'] } },
  })
  const device_id = await server.device(organization, 'Oven 7')
  await server.raise({ org: organization, device_id, name: 'Too hot', severity: 6 })
})
afterAll(() => server.close())

test('deliveries are listed by time and found by what they say [R-20 in part]', async () => {
  await server.deliveries((rows) => rows.length === 1 && rows[0]?.state === 'SENT')
  const admin = server.as(server.people.administrator)
  const found = async (more: object) =>
    (await admin.deliveryLog({ query: { ...query, ...more } })).data.map(({ about }) => about)
  expect(await found({})).toEqual(['Oven 7: Too hot'])
  for (const more of [
    { text: 'OVENS' },
    { text: 'too hot' },
    { person: 'osk' },
    { device: 'oven' },
  ])
    expect(await found(more)).toHaveLength(1)
  for (const more of [{ text: 'press' }, { person: 'vera' }, { failed: true }, { to: 0 }])
    expect(await found(more)).toEqual([])
  await server.db.updateTable('delivery').set({ state: 'FAILED' }).execute()
  expect(await found({ failed: true })).toHaveLength(1)
  await expect(found({ next: 'x' })).rejects.toMatchObject({
    status: 400,
    details: { field: 'next' },
  })
})

test('another organization has none of them', async () => {
  await expect(server.as(server.people.foreigner).deliveryLog({ query })).rejects.toMatchObject({
    status: 404,
  })
})
