import { verifyWebhook } from '@longreach/kit/webhook-signature'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'
import type { PostedChannel } from './contract.ts'

type Taken = { path: string; headers: Record<string, string>; body: string }
type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: NotificationsTest
let url: string
const taken: Taken[] = []
let answer: Answer
const ok: Answer = (_, response) => response.end('thanks')
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const headers = request.headers as Record<string, string>
    taken.push({ path: request.url ?? '', headers, body: Buffer.concat(parts).toString() })
    answer(request, response)
  })
})
beforeAll(async () => {
  server = await notificationsTest()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await server.close()
})
beforeEach(async () => {
  await server.clear()
  taken.length = 0
  answer = ok
})

const organization = 'nordwerk.service'
const query = { organization }
const admin = () => server.as(server.people.administrator)
const channel = (posted: PostedChannel, more = {}) =>
  admin().createChannel({ query, body: { name: `${posted.type} 1`, ...posted, ...more } })
const webhook = (config = {}) =>
  channel({ type: 'webhook', config: { url: `${url}/hook`, headers: {}, ...config } })
const ruleFor = (id: string, more = {}) =>
  admin().createNotification({
    query,
    body: { name: 'All', recipientFilters: [{ type: 'channel', id }], ...more },
  })
async function raise(name = 'Too "hot"\n<b>*x*') {
  const device_id = await server.device(organization, 'Oven 7')
  return server.raise({ org: organization, device_id, name, severity: 5 })
}
/** Deliveries to channels when they have ended; the owner of the rule is told of failures beside them. */
const ended = async () => {
  const rows = await server.deliveries((all) => {
    const own = all.filter(({ outside }) => outside)
    return own.length > 0 && own.every(({ state }) => state !== 'WAITING' && state !== 'SENDING')
  })
  return rows.filter(({ outside }) => outside)
}
const first = async () => {
  await expect.poll(() => taken.length, patience).toBeGreaterThan(0)
  return taken[0]!
}

test('a webhook is signed with its secret, which is answered once and sealed [C-29 in part]', async () => {
  const made = await webhook({ headers: { 'X-Plant': 'seven' } })
  expect(made).toMatchObject({
    secrets: ['secret', 'headers'],
    config: { headerNames: ['X-Plant'] },
  })
  const secret = made.newSecret ?? ''
  await ruleFor(made.id)
  const id = await raise()
  const { headers, body } = await first()
  expect(verifyWebhook(headers, { body, secret, now: server.clock.now })).toBe(true)
  expect(headers['x-plant']).toBe('seven')
  const [delivery] = await ended()
  expect(delivery).toMatchObject({ state: 'SENT', answer: '200 thanks', outside: true })
  expect(headers['webhook-id']).toBe(delivery?.id)
  expect(JSON.parse(body)).toMatchObject({
    severity: 5,
    total: 1,
    alarms: [{ id, device: 'Oven 7' }],
  })
  const { rows } = await server.database.pool.query<{ all: string }>(
    'select c::text as all from notifications.channel c',
  )
  expect(rows[0]?.all).not.toContain(secret)
  const answers = JSON.stringify([
    await admin().channels({ query }),
    await admin().channel({ params: { id: made.id }, query }),
  ])
  expect(answers).not.toMatch(/whsec_|seven/)
})

test.each([
  [
    'telegram',
    () => ({ server: url, token: '12:ab', chatId: '-5' }),
    '/bot12:ab/sendMessage',
    ['chat_id', '-5'],
  ],
  ['teams', () => ({ url: `${url}/flow` }), '/flow', ['type', 'message']],
  [
    'slack',
    () => ({ url: `${url}/services/x` }),
    '/services/x',
    ['text', expect.stringContaining('Too "hot"\n&lt;b&gt;')],
  ],
  ['ntfy', () => ({ server: url, topic: 'plant', token: 'tk_1' }), '/', ['topic', 'plant']],
] as const)(
  '%s gets an alarm in its own form [C-29 in part]',
  async (type, config, path, [field, value]) => {
    const made = await channel({ type, config: config() } as PostedChannel)
    await ruleFor(made.id)
    await raise()
    const got = await first()
    expect(got.path).toBe(path)
    expect(JSON.parse(got.body)).toMatchObject({ [field]: value })
    expect(got.body).toContain('Oven 7')
    if (type === 'ntfy') expect(got.headers['authorization']).toBe('Bearer tk_1')
    expect(JSON.stringify(await admin().channels({ query }))).not.toMatch(
      /12:ab|tk_1|flow|services/,
    )
  },
)

test('a template writes the body, with values escaped', async () => {
  const template = '{"say": "{{subject}}", "list": [{{#alarms}}"{{name}}"{{/alarms}}]}'
  const made = await webhook({ template })
  await ruleFor(made.id)
  await raise()
  expect(JSON.parse((await first()).body)).toMatchObject({ list: ['Too "hot"\n<b>*x*'] })
})

test.each([
  ['{{{subject}}}', 'not escaped'],
  ['{"a": {{subject}}}', 'JSON'],
  ['{"a":\n"{{temperature}}"}', 'line 2: there is no field temperature'],
  ['{{#alarms}}', 'Unclosed section'],
  ['{{#alarms}}{{#alarms}}{{name}}{{/alarms}}{{/alarms}}', 'contains no alarms'],
  ['{{> other}}', 'no other template'],
])('the template %j is refused with its line', async (template, message) => {
  const refused = await webhook({ template }).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    status: 422,
    code: 'notifications.template_invalid',
    details: { field: 'config.template', message: expect.stringContaining(message) },
  })
})

test.each([
  'http://127.1.1.1.example.test:x/',
  'http://169.254.169.254/latest',
  'http://[::ffff:10.0.0.1]/',
  'http://2130706433.nope:99999/',
  'http://0x0a000001/',
  'file:///etc/passwd',
  'http://user:pass@example.org/',
])('the address %s is refused', async (address) => {
  await expect(webhook({ url: address })).rejects.toMatchObject({
    status: 422,
    code: 'notifications.address_refused',
    details: { field: 'config.url', message: expect.stringContaining('config.url') },
  })
})

test('a receiver that is busy is called again when it says so, with the same id', async () => {
  let calls = 0
  answer = (_, response) => {
    calls += 1
    if (calls === 1) response.writeHead(429, { 'Retry-After': '120' }).end('slow down')
    else response.end('ok')
  }
  await ruleFor((await webhook()).id)
  await raise()
  const [waiting] = await server.deliveries(
    ([row]) => row?.state === 'WAITING' && row.attempt === 1,
  )
  const waitS = (waiting!.next_at.getTime() - server.clock.now.getTime()) / 1_000
  expect(waitS).toBeGreaterThanOrEqual(120)
  expect(waitS).toBeLessThan(150)
  server.pass(150_000)
  expect(await ended()).toMatchObject([{ state: 'SENT', attempt: 2, repeated: false }])
  expect(taken[1]?.headers['webhook-id']).toBe(taken[0]?.headers['webhook-id'])
})

test('a redirect and a refusal end at once, and stand in the list of failures [C-29 in part] [R-20 in part]', async () => {
  answer = (request, response) => {
    if (request.url === '/moved')
      response.writeHead(302, { Location: 'http://169.254.169.254/' }).end()
    else response.writeHead(403).end('no')
  }
  const moved = await webhook({ url: `${url}/moved` })
  const closed = await webhook({ url: `${url}/closed`, secret: undefined }).catch(() => undefined)
  expect(closed).toBeUndefined() // the name is taken
  await ruleFor(moved.id)
  await raise()
  const [failed] = await ended()
  expect(failed).toMatchObject({ state: 'FAILED', attempt: 1 })
  expect(taken).toHaveLength(1)
  const { data, totalElements } = await admin().failedNotifications({ query })
  expect(totalElements).toBe(1)
  expect(data[0]).toMatchObject({ type: 'webhook', destination: 'webhook 1', error: '302' })
  answer = ok
  const again = { params: { id: failed!.id }, query, body: {} }
  const both = await Promise.allSettled([admin().sendAgain(again), admin().sendAgain(again)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await ended()).toMatchObject([{ state: 'SENT' }])
  await expect(admin().sendAgain(again)).rejects.toMatchObject({ status: 409 })
  await expect(
    server
      .as(server.people.neighbour)
      .sendAgain({ ...again, query: { organization: 'nordwerk.press' } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('an endless answer is cut, and counts by its status', async () => {
  answer = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }
  await ruleFor((await webhook()).id)
  await raise()
  const [sent] = await ended()
  expect(sent?.state).toBe('SENT')
  expect(sent?.answer).toHaveLength(4_000)
})

test('channels are those of the organization, are tested at most five times a minute, and stay while they are used', async () => {
  const { id } = await webhook()
  await expect(webhook()).rejects.toMatchObject({
    status: 409,
    code: 'notifications.channel_exists',
  })
  const params = { id }
  const beside = { params, query: { organization: 'nordwerk.press' } }
  await expect(server.as(server.people.neighbour).channel(beside)).rejects.toMatchObject({
    status: 404,
  })
  await expect(server.as(server.people.neighbour).deleteChannel(beside)).rejects.toMatchObject({
    status: 404,
  })
  await expect(
    server.as(server.people.viewer).deleteChannel({ params, query }),
  ).rejects.toMatchObject({ status: 403 })
  for (let n = 0; n < 5; n += 1) {
    expect(await admin().testChannel({ params, query, body: {} })).toMatchObject({ ok: true })
  }
  await expect(admin().testChannel({ params, query, body: {} })).rejects.toMatchObject({
    status: 429,
  })
  const rule = await ruleFor(id)
  await expect(admin().deleteChannel({ params, query })).rejects.toMatchObject({
    status: 409,
    details: { users: ['All'] },
  })
  await admin().deleteNotification({ params: { id: rule.id }, query })
  // Another organization holds nobody up by naming what is not its own, and its names are told to nobody.
  await server.as(server.people.neighbour).createNotification({
    query: beside.query,
    body: { name: 'Beside', description: id, nameFilters: [id], recipientFilters: ['nele'] },
  })
  await admin().deleteChannel({ params, query })
  expect((await admin().channels({ query })).data).toEqual([])
})
