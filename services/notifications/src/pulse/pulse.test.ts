import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pulseDevice, pulseOrganization } from '@longreach/alarms/pulse-contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notificationsContract } from '../contract.ts'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'
import { watcherChannel } from '../pulse-rule.ts'
import { cleanupPulse, notePulseEnd } from './pulse-store.ts'

const minute = 60_000
let server: NotificationsTest
let watcher: { server: Server; calls: string[]; url: string }
beforeAll(async () => {
  watcher = { server: createServer(), calls: [], url: '' }
  watcher.server.on('request', (request, response) => {
    watcher.calls.push(`${request.method} ${request.url}`)
    response.writeHead(200).end('heard')
  })
  await new Promise<void>((resolve) => watcher.server.listen(0, '127.0.0.1', resolve))
  watcher.url = `http://127.0.0.1:${(watcher.server.address() as AddressInfo).port}/ping/secret`
  server = await notificationsTest()
})
afterAll(async () => {
  await server?.close()
  watcher?.server.close()
})

const query = { organization: 'nordwerk' }
const owner = () => server.as(server.people.owner)
const set = (body: { url?: string; method?: 'GET' | 'POST' }) =>
  owner().setPulseWatcher({ query, body })
const counted = async () => {
  const count = async (table: 'decision' | 'bundle' | 'message' | 'delivery') => {
    const { n } = await server.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return n
  }
  return {
    decisions: await count('decision'),
    bundles: await count('bundle'),
    messages: await count('message'),
    deliveries: await count('delivery'),
  }
}
/** An alarm of the pulse, as its rule raises one for a beat and ends it. */
const raise = (start: Date) =>
  server.raise({
    org: pulseOrganization,
    device_id: pulseDevice,
    name: 'Pulse',
    severity: 6,
    start,
    active: false,
    ack_required: false,
  })

test('before the first beat the pulse is new', async () => {
  expect(await server.server.as(undefined, notificationsContract).pulseAlive({})).toEqual({
    state: 'new',
    t: null,
  })
  expect(await owner().pulse({ query })).toMatchObject({
    state: 'new',
    t: null,
    stations: { alarm: null, isAlarmKnown: true, message: null, watcher: null },
    watcher: null,
  })
})

test('a watcher is kept without showing its address, tested, and called at each beat', async () => {
  const kept = await set({ url: watcher.url, method: 'POST' })
  expect(kept).toMatchObject({ method: 'POST', ok: null, calledAt: null })
  expect(JSON.stringify([kept, await owner().pulse({ query })])).not.toContain('secret')
  const rows = await server.db.selectFrom('pulse_watcher').selectAll().execute()
  expect(rows.map(({ sealed }) => sealed.toString('latin1')).join()).not.toContain('secret')
  for (let n = 0; n < 5; n += 1)
    expect(await owner().testPulseWatcher({ query, body: {} })).toMatchObject({
      ok: true,
      answer: '200 heard',
    })
  await expect(owner().testPulseWatcher({ query, body: {} })).rejects.toMatchObject({
    status: 429,
    code: 'notifications.test_limit',
  })
  // The method alone is changed; the address stays.
  await set({ method: 'GET' })
  watcher.calls.length = 0
  await raise(server.clock.now)
  await expect
    .poll(async () => (await owner().pulse({ query })).stations, patience)
    .toMatchObject({
      message: { t: server.clock.now.getTime() },
      watcher: { t: server.clock.now.getTime() },
    })
  expect(watcher.calls).toEqual(['GET /ping/secret'])
})

test('each beat is told on its own, without the limit of an hour, and is in no list', async () => {
  const before = await counted()
  const beats = 25
  server.pass(minute)
  const t = server.clock.now.getTime()
  for (let n = beats - 1; n >= 0; n -= 1) await raise(new Date(t - n * 1_000))
  await expect
    .poll(async () => (await owner().pulse({ query })).stations?.watcher?.t, patience)
    .toBe(t)
  expect(await counted()).toMatchObject({
    decisions: before.decisions + beats,
    messages: before.messages + beats,
    deliveries: before.deliveries + 2 * beats,
  })
  const ended = await server.deliveries((rows) => rows.every(({ state }) => state === 'SENT'))
  expect(new Set(ended.map(({ gate }) => gate))).toEqual(new Set(['']))
  expect(await server.db.selectFrom('held').selectAll().execute()).toEqual([])
  const all = { organization: 'nordwerk.*' }
  expect((await owner().deliveries({ query: all })).totalElements).toBe(0)
  expect((await owner().notifications({ query: all })).totalElements).toBe(0)
  expect((await owner().inbox({ query })).data).toEqual([])
})

test('another root organization has a watcher and answers of its own', async () => {
  const other = { organization: 'acqua' }
  const foreigner = server.as(server.people.foreigner)
  expect(await foreigner.pulse({ query: other })).toMatchObject({ watcher: null })
  const body = { url: `${watcher.url}/of-acqua`, method: 'POST' as const }
  await foreigner.setPulseWatcher({ query: other, body })
  expect((await owner().pulse({ query })).watcher).toMatchObject({ method: 'GET', ok: true })
  const told = await server.decisions((rows) => rows.some((row) => row.message_id !== null))
  const message_id = String(told.find((row) => row.message_id !== null)?.message_id)
  const end = { message_id, channel: watcherChannel, recipient: 'acqua' }
  await notePulseEnd(server.db, end, { isSent: false, answer: 'gone', at: server.clock.now })
  const answers = await server.db.selectFrom('pulse_watcher').select(['org', 'ok']).execute()
  expect(new Map(answers.map(({ org, ok }) => [org, ok]))).toEqual(
    new Map([
      ['acqua', false],
      ['nordwerk', true],
    ]),
  )
  await foreigner.deletePulseWatcher({ query: other })
  expect((await owner().pulse({ query })).watcher).toMatchObject({ method: 'GET' })
})

test('after 15 minutes nothing of a beat is left but its time', async () => {
  await cleanupPulse({ db: server.db, now: () => server.clock.now })
  expect((await counted()).messages).toBeGreaterThan(0)
  const { t } = await owner().pulse({ query })
  server.pass(16 * minute)
  await cleanupPulse({ db: server.db, now: () => server.clock.now })
  expect(await counted()).toEqual({ decisions: 0, bundles: 0, messages: 0, deliveries: 0 })
  expect(await owner().pulse({ query })).toMatchObject({ t, state: 'still' })
})

test('only the root organization sees stations and watcher, and changes it', async () => {
  const { people } = server
  const below = { organization: 'nordwerk.service' }
  const administrator = server.as(people.administrator)
  expect(await administrator.pulse({ query: below })).toMatchObject({
    state: 'still',
    stations: null,
    watcher: null,
  })
  const body = { url: watcher.url }
  const foreigner = server.as(people.foreigner)
  for (const refused of [
    () => administrator.setPulseWatcher({ query: below, body }),
    () => administrator.deletePulseWatcher({ query: below }),
    () => administrator.testPulseWatcher({ query: below, body: {} }),
    () => foreigner.setPulseWatcher({ query, body }),
    () => foreigner.pulse({ query }),
  ])
    await expect(refused()).rejects.toMatchObject({ status: 404 })
  const operator = server.as(people.parentPlain)
  await expect(operator.setPulseWatcher({ query, body })).rejects.toMatchObject({ status: 403 })
  await expect(operator.deletePulseWatcher({ query })).rejects.toMatchObject({ status: 403 })
  expect(
    await server.as(people.foreigner).pulse({ query: { organization: 'acqua' } }),
  ).toMatchObject({ watcher: null, stations: { watcher: null } })
})

test.each([
  { url: 'http://169.254.169.254/latest', field: 'url', code: 'address_refused' },
  { url: 'file:///etc/passwd', field: 'url', code: 'address_refused' },
  { url: 'https://user:word@example.org/', field: 'url', code: 'address_refused' },
  { url: 'not an address', field: 'url', code: 'address_refused' },
])('the address $url is refused by its field', async ({ url, field, code }) => {
  await expect(set({ url })).rejects.toMatchObject({
    status: 422,
    code: `notifications.${code}`,
    details: { field },
  })
})

test('two changes at once leave one watcher, and a removed one is not found', async () => {
  const both = ['GET', 'POST'] as const
  await Promise.all(both.map((method) => set({ url: watcher.url, method })))
  expect(await server.db.selectFrom('pulse_watcher').select('org').execute()).toEqual([
    { org: 'nordwerk' },
  ])
  await owner().deletePulseWatcher({ query })
  await expect(owner().deletePulseWatcher({ query })).rejects.toMatchObject({ status: 404 })
  await expect(set({})).rejects.toMatchObject({
    status: 422,
    code: 'notifications.secret_missing',
    details: { field: 'url' },
  })
})

test('what the pulse left goes, and messages of others stay', async () => {
  const organization = 'nordwerk.service'
  await server.as(server.people.administrator).createNotification({
    query: { organization },
    body: { name: 'Own', recipientFilters: ['oskar'] },
  })
  const device_id = await server.device(organization, 'Oven 7')
  await server.raise({ org: organization, device_id, name: 'Too hot', severity: 6 })
  const told = async () => {
    const rows = await server.db.selectFrom('message').select('org').execute()
    return rows.filter(({ org }) => org === organization).length
  }
  await expect.poll(told, patience).toBe(1)
  server.pass(60 * minute)
  await cleanupPulse({ db: server.db, now: () => server.clock.now })
  expect(await told()).toBe(1)
})
