import { createPushReader } from '@longreach/kit/web-push-testing'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DeliveryRow } from '../database.ts'
import { type NotificationsTest, notificationsTest, patience } from '../notifications-testing.ts'

type Taken = { path: string; headers: Record<string, string>; body: Buffer }

let server: NotificationsTest
let url: string
let status = 201
/** Path of a browser whose push service is busy. */
let busy = ''
const taken: Taken[] = []
const service = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const headers = request.headers as Record<string, string>
    taken.push({ path: request.url ?? '', headers, body: Buffer.concat(parts) })
    response.writeHead(request.url === busy ? 503 : status).end()
  })
})
beforeAll(async () => {
  server = await notificationsTest()
  await server.address(server.people.operator, 'oskar@plant.example')
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as { port: number }).port}`
})
afterAll(async () => {
  service.close()
  await server.close()
})
beforeEach(async () => {
  await server.clear()
  await server.db.deleteFrom('push_subscription').execute()
  taken.length = 0
  status = 201
  busy = ''
})

const organization = 'nordwerk.service'
const query = { organization }
const admin = () => server.as(server.people.administrator)
const oskar = () => server.as(server.people.operator)

/** Browser with the keys of a subscription, which reads what comes. */
function browser(path: string) {
  const { keys, read } = createPushReader()
  return {
    body: { endpoint: `${url}${path}`, keys, label: 'Phone' },
    read: (body: Buffer) => JSON.parse(read(body)) as object,
  }
}

/** Claims of the token by which a push service knows the sender (RFC 8292), when its signature is right. */
function senderOf({ headers }: Taken, publicKey: string) {
  const [, token = '', key] =
    /^vapid t=([^,]+), ?k=(.+)$/.exec(headers['authorization'] ?? '') ?? []
  expect(key).toBe(publicKey)
  const [head, claims, signature] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature ?? '', 'base64url'),
  )
  expect(isRight).toBe(true)
  return JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as {
    aud: string
    sub: string
  }
}
const rule = () =>
  admin().createNotification({
    query,
    body: { name: 'Ovens', recipientFilters: ['oskar'], longreach: { channels: ['inbox'] } },
  })
async function raise(name = 'Too hot') {
  const device_id = await server.device(organization, 'Oven 7')
  return server.raise({ org: organization, device_id, name, severity: 6 })
}
const pushed = (fits: (rows: DeliveryRow[]) => boolean) =>
  server.deliveries((rows) => fits(rows.filter(({ channel }) => channel === 'push')))

test('a browser gets the words of an alarm, encrypted for it and signed by the installation [C-29 in part]', async () => {
  const phone = browser('/one')
  const { id, host } = await oskar().addPush({ query, body: phone.body })
  expect(host).toBe(new URL(url).host)
  await rule()
  const alarm = await raise()
  await pushed(([row]) => row?.state === 'SENT')
  expect(taken).toHaveLength(1)
  const [message] = taken
  expect(message?.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '14400',
    urgency: 'high',
  })
  expect(message?.body.toString('latin1')).not.toContain('Oven 7')
  expect(phone.read(message!.body)).toMatchObject({
    title: '[Critical] Oven 7: Too hot',
    lang: 'en',
    severity: 6,
    path: `/alarms?alarm=${alarm}`,
    // Later news of the alarm takes the place of this message.
    tag: `alarm:${alarm}`,
  })
  const { publicKey, subscriptions } = await oskar().push({ query })
  expect(senderOf(message!, publicKey)).toMatchObject({
    aud: url,
    sub: 'mailto:longreach@portal.test',
  })
  expect(subscriptions).toMatchObject([
    {
      id,
      label: 'Phone',
      endpointHash: createHash('sha256').update(phone.body.endpoint).digest('base64url'),
    },
  ])
  expect(subscriptions[0]?.sentAt).not.toBeNull()
  // Neither the keys nor the endpoint are readable in the database.
  const kept = await server.db.selectFrom('push_subscription').selectAll().execute()
  expect(kept[0]?.sealed.includes(Buffer.from('/one'))).toBe(false)
  const [key] = await server.db.selectFrom('push_key').selectAll().execute()
  expect(key?.public_key).toBe(publicKey)
})

test('of two browsers the one that was busy is tried again, and the one that has the message is left alone', async () => {
  await oskar().addPush({ query, body: browser('/one').body })
  await oskar().addPush({ query, body: browser('/two').body })
  await rule()
  busy = '/two'
  await raise()
  await pushed(([row]) => row?.state === 'WAITING' && row.attempt === 1)
  expect(taken.map(({ path }) => path).toSorted()).toEqual(['/one', '/two'])
  busy = ''
  server.pass(60_000)
  await pushed(([row]) => row?.state === 'SENT' && row.answer === '2 / 2')
  expect(taken.map(({ path }) => path).toSorted()).toEqual(['/one', '/two', '/two'])
  // One that stays busy does not make a failure of a message that arrived.
  busy = '/two'
  server.pass(300_000)
  await raise('Second')
  for (let attempt = 1; attempt < 4; attempt += 1) {
    const rows = await pushed((all) =>
      all.some((row) => row.state === 'WAITING' && row.attempt === attempt),
    )
    const waiting = rows.find(({ state }) => state === 'WAITING')!
    server.pass(waiting.next_at.getTime() - server.clock.now.getTime())
  }
  await pushed((all) => all.some((row) => row.state === 'SENT' && row.answer === '1 / 2'))
})

test('a browser that is gone is forgotten, and one that is busy is tried again', async () => {
  const [one, two] = [browser('/one'), browser('/two')]
  await oskar().addPush({ query, body: one.body })
  await rule()
  status = 503
  await raise('First')
  await pushed(([row]) => row?.state === 'WAITING' && taken.length === 1)
  status = 201
  server.pass(60_000)
  await pushed(([row]) => row?.state === 'SENT')
  await oskar().addPush({ query, body: two.body })
  status = 410
  server.pass(300_000)
  await raise('Second')
  await pushed((rows) => rows.some(({ gate }) => gate === 'no_browser'))
  expect((await oskar().push({ query })).subscriptions).toEqual([])
})

test.each([
  ['http://10.0.0.7/push', 'address_refused'],
  ['http://169.254.169.254/latest', 'address_refused'],
  ['http://[::ffff:10.0.0.7]/push', 'address_refused'],
  ['http://167772167/push', 'address_refused'],
  ['file:///etc/passwd', 'address_refused'],
  ['http://user:secret@push.example/', 'address_refused'],
  ['no address', 'address_refused'],
])('the endpoint %s is refused', async (endpoint, code) => {
  await expect(
    oskar().addPush({ query, body: { ...browser('/').body, endpoint } }),
  ).rejects.toMatchObject({
    status: 422,
    code: `notifications.${code}`,
    details: { field: 'endpoint' },
  })
})

test('an endpoint that was allowed and is not any more is refused when a message is sent', async () => {
  const { id } = await oskar().addPush({ query, body: browser('/one').body })
  server.server.site.outside = { http: true, networks: [] }
  try {
    const end = await oskar().testPush({ params: { id }, query, body: {} })
    expect(end.ok).toBe(false)
    expect(end.answer).toMatch(/network|public/)
    expect(taken).toEqual([])
  } finally {
    server.server.site.outside = { http: true, networks: ['127.0.0.0/8'] }
  }
  const phone = browser('/two')
  const added = await oskar().addPush({ query, body: phone.body })
  const end = await oskar().testPush({ params: { id: added.id }, query, body: {} })
  expect(end).toMatchObject({ ok: true })
  expect(phone.read(taken[0]!.body)).toMatchObject({ title: 'Test message of Longreach' })
})

test('keys that are none are refused, and browsers are one person’s own', async () => {
  const { body } = browser('/one')
  const off = Buffer.alloc(65, 7)
  off[0] = 4
  await expect(
    oskar().addPush({ query, body: { ...body, keys: { ...body.keys, auth: 'AAAA' } } }),
  ).rejects.toMatchObject({ status: 400 })
  await expect(
    oskar().addPush({
      query,
      body: { ...body, keys: { ...body.keys, p256dh: off.toString('base64url') } },
    }),
  ).rejects.toMatchObject({ status: 422, details: { field: 'keys.p256dh' } })
  const twice = await Promise.all([
    oskar().addPush({ query, body }),
    oskar().addPush({ query, body }),
  ])
  expect(twice[0].id).toBe(twice[1].id)
  const params = { id: twice[0].id }
  const vera = server.as(server.people.viewer)
  expect((await vera.push({ query })).subscriptions).toEqual([])
  await expect(vera.removePush({ params, query })).rejects.toMatchObject({ status: 404 })
  await expect(vera.testPush({ params, query, body: {} })).rejects.toMatchObject({ status: 404 })
  for (let n = 1; n < 10; n += 1) await oskar().addPush({ query, body: browser(`/${n}`).body })
  await expect(oskar().addPush({ query, body: browser('/11').body })).rejects.toMatchObject({
    status: 422,
    code: 'notifications.too_many',
  })
  // The browser has a new person: it shows no message of the former one.
  await vera.addPush({ query, body })
  expect((await oskar().push({ query })).subscriptions).toHaveLength(9)
  await oskar().removePush({
    params: { id: (await oskar().push({ query })).subscriptions[0]!.id },
    query,
  })
  expect((await oskar().push({ query })).subscriptions).toHaveLength(8)
})

test('who chose no browser for a severity gets no push message of it', async () => {
  await oskar().addPush({ query, body: browser('/one').body })
  await oskar().setPreferences({ query, body: { bySeverity: { '6': ['inbox'] } } })
  await rule()
  await raise()
  const rows = await pushed((some) => some.length === 1)
  expect(rows.find(({ channel }) => channel === 'push')).toMatchObject({
    state: 'DROPPED',
    gate: 'preference',
  })
  await expect.poll(() => taken.length, patience).toBe(0)
})
