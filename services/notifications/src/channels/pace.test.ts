import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'
import { takeTurn } from './pace.ts'

let server: NotificationsTest
let url: string
let calls = 0
let status = 200
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    calls += 1
    response.writeHead(status, status === 429 ? { 'Retry-After': '120' } : {}).end('ok')
  })
})
beforeAll(async () => {
  server = await notificationsTest()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`
})
afterAll(async () => {
  receiver.close()
  await server.close()
})
beforeEach(async () => {
  await server.clear()
  await server.db.deleteFrom('pace').execute()
  calls = 0
  status = 200
})

const organization = 'nordwerk.service'
const query = { organization }
const admin = () => server.as(server.people.administrator)
/** Two channels to one hook, or to one chat, and a rule for both. */
async function twoChannels(type: 'slack' | 'telegram') {
  const config =
    type === 'slack' ? { url: `${url}/hook` } : { server: url, token: '1:a', chatId: '7' }
  const made = await Promise.all(
    ['One', 'Two'].map(
      (name) => admin().createChannel({ query, body: { name, type, config } as never }), // both fit their type
    ),
  )
  const recipientFilters = made.map(({ id }) => ({ type: 'channel' as const, id }))
  await admin().createNotification({ query, body: { name: 'All', recipientFilters } })
  const device_id = await server.device(organization, 'Oven 7')
  await server.raise({ org: organization, device_id, name: 'Hot', severity: 6 })
}
const states = (rows: { state: string }[]) => rows.map(({ state }) => state).toSorted()

test.each(['slack', 'telegram'] as const)(
  'messages of %s to one address go once a second, whatever the channel',
  async (type) => {
    await twoChannels(type)
    const rows = await server.deliveries(
      (all) => all.length === 2 && states(all).join() === 'SENT,WAITING' && all.every(isFree),
    )
    const waits = rows.find(({ state }) => state === 'WAITING')!
    expect(waits).toMatchObject({ attempt: 0, repeated: false })
    expect(waits.next_at.getTime()).toBe(server.clock.now.getTime() + 1_000)
    expect(calls).toBe(1)
    server.pass(1_000)
    await server.deliveries((all) => all.every(({ state }) => state === 'SENT'))
    expect(calls).toBe(2)
  },
)
const isFree = ({ state, next_at }: { state: string; next_at: Date }) =>
  state === 'SENT' || next_at > server.clock.now

test('a chat that asks for rest gets none of its messages until then', async () => {
  status = 429
  await twoChannels('slack')
  await server.deliveries(
    (all) => all.length === 2 && all.every((row) => row.state === 'WAITING' && isFree(row)),
  )
  await expect.poll(() => calls, patience).toBe(1)
  server.pass(60_000)
  await server.deliveries((all) => all.every((row) => row.state === 'WAITING' && isFree(row)))
  expect(calls).toBe(1)
  status = 200
  server.pass(90_000)
  await expect.poll(() => calls, patience).toBe(2)
  server.pass(1_000)
  await server.deliveries((all) => all.every(({ state }) => state === 'SENT'))
})

test('of processes that ask at once one gets the turn', async () => {
  const now = server.clock.now
  const turns = await Promise.all(
    Array.from({ length: 10 }, () => takeTurn(server.db, 'target', now)),
  )
  expect(turns.filter((turn) => turn === undefined)).toHaveLength(1)
  expect(turns.find((turn) => turn !== undefined)?.getTime()).toBe(now.getTime() + 1_000)
})
