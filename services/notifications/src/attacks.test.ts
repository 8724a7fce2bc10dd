import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest } from './notifications-testing.ts'

// Attacks on the calls of notifications, and by what devices and rules write into messages.

let server: NotificationsTest
let url: string
const taken: string[] = []
let reply = 'ok'
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    taken.push(Buffer.concat(parts).toString())
    response.end(reply)
  })
})
beforeAll(async () => {
  server = await notificationsTest()
  await server.address(server.people.operator, 'oskar@plant.example')
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
  reply = 'ok'
})

const organization = 'nordwerk.service'
const query = { organization }
const admin = () => server.as(server.people.administrator)
async function send(method: string, path: string, body?: unknown) {
  const mark = path.includes('?') ? '&' : '?'
  const answer = await server.fetchAs(server.people.administrator)(
    `/svc/notification/api/v1/${path}${mark}organization=${organization}`,
    {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    },
  )
  return { status: answer.status, text: await answer.text() }
}
const hook = { name: 'Hook', type: 'webhook', config: { url: 'https://hooks.example/' } }
const posts: [path: string, body: object][] = [
  ['notifications', { name: 'Rule' }],
  ['channels', hook],
  ['escalations', { name: 'Night', steps: [] }],
  ['schedules', { name: 'Days', zone: 'UTC', layers: [] }],
  ['inbox/read', {}],
]

test('prototypes in bodies change no object and no answer (attack 83)', async () => {
  for (const [path, body] of posts) {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const text = JSON.stringify(body).replace('{', `{"${key}":{"isAdmin":true,"enabled":false},`)
      const { status } = await send('POST', path, text.replace(',}', '}'))
      expect([path, key, status < 500]).toEqual([path, key, true])
    }
  }
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  // Names of headers and severities are keys that a person chooses.
  const named = `{"name":"P","type":"webhook","config":{"url":"https://a.example/","headers":{"__proto__":"x"}}}`
  expect((await send('POST', 'channels', named)).status).toBeLessThan(500)
  const chosen = await send('PUT', 'preferences', '{"bySeverity":{"__proto__":["mail"]}}')
  expect(chosen.status).toBeLessThan(500)
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

test('values of other types than asked for are refused by their field (attack 84)', async () => {
  for (const value of [['a'], { $gt: '' }, true, null]) {
    const refused: [path: string, field: string, body: object][] = [
      ['notifications', 'name', { name: value }],
      ['notifications', 'minimumSeverity', { name: 'R', minimumSeverity: value }],
      ['channels', 'url', { ...hook, config: { url: value } }],
      ['escalations', 'steps', { name: 'E', steps: value }],
      ['schedules', 'zone', { name: 'S', zone: value, layers: [] }],
    ]
    for (const [path, field, body] of refused) {
      const { status, text } = await send('POST', path, body)
      expect([path, field, value, status]).toEqual([path, field, value, 400])
      expect(text).toContain(field)
    }
  }
  expect((await admin().channels({ query })).data).toEqual([])
})

test('the language of databases in a search is text (attack 85)', async () => {
  await admin().createNotification({ query, body: { name: 'Ovens', enabled: false } })
  for (const text of [`' or 1=1 --`, `"; drop table delivery; --`, '%', '_', '\\', '{"$ne":1}']) {
    const asked = encodeURIComponent(text)
    for (const path of ['notifications', 'deliveries']) {
      const answer = await send('GET', `${path}?search=${asked}`)
      expect([path, text, answer.status]).toEqual([path, text, 200])
      expect(JSON.parse(answer.text)).toMatchObject({ totalElements: 0 })
    }
    const log = await send('GET', `deliveries/log?text=${asked}&person=${asked}&device=${asked}`)
    expect([text, log.status]).toEqual([text, 200])
  }
  expect((await admin().notifications({ query })).totalElements).toBe(1)
})

test('sizes of pages that are none are refused by their field (attack 86)', async () => {
  for (const size of ['-1', '0', 'NaN', '1e309', '1.5', 'null', '']) {
    const { status, text } = await send('GET', `deliveries?pageSize=${size}`)
    expect([size, status]).toEqual([size, 400])
    expect(text).toContain('pageSize')
  }
  expect((await send('GET', 'deliveries?page=-1')).status).toBe(400)
  const deep = `{"name":"D","longreach":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`
  expect((await send('POST', 'notifications', deep)).status).toBeLessThan(500)
  expect((await send('POST', 'notifications', `\uFEFF{"name":"B"}`)).status).toBeLessThan(500)
})

test('a pattern of many stars is judged to its end (attack 87)', async () => {
  const nameFilters = [`${'*a'.repeat(240)}b`, '*.*.*(a+)+$*', '^(([a-z])+.)+$']
  const device_id = await server.device(organization, 'Oven 7')
  const alarm = await server.raise({ org: organization, device_id, name: 'a'.repeat(480) })
  const body = { notification: { name: 'Stars', nameFilters }, alarmIds: [alarm] }
  const { data } = await admin().tryNotification({ query, body })
  expect(data).toMatchObject([{ gate: 'name' }])
})

test.each([
  '{{constructor.constructor}}',
  '{{__proto__}}',
  '{{#alarms}}{{constructor}}{{/alarms}}',
  '{{#constructor}}{{name}}{{/constructor}}',
  '{{=<% %>=}}<%& subject %>',
])('the template %j reaches nothing but its fields (attack 88)', async (template) => {
  const { status, text } = await send('POST', 'channels', {
    ...hook,
    config: { ...hook.config, template },
  })
  expect(status).toBe(422)
  expect(text).toContain('config.template')
})

test('texts of devices and rules are text in every form of a message (attack 89)', async () => {
  const evil = `<img src=x onerror=alert(1)>"'</h1><script>alert(2)</script>`
  const made = await admin().createChannel({
    query,
    body: { name: 'Hook', type: 'webhook', config: { url } },
  })
  await admin().createNotification({
    query,
    body: {
      name: `Rule ${evil}`,
      recipientFilters: ['oskar', { type: 'channel', id: made.id }],
      longreach: { channels: ['mail', 'inbox'] },
    },
  })
  const device_id = await server.device(organization, `Oven ${evil}`)
  await server.raise({ org: organization, device_id, name: evil, severity: 6, description: evil })
  const { text } = await server.post.mailTo('oskar@plant.example')
  const html = text.slice(text.indexOf('<!doctype html>'))
  expect(html).toContain('&lt;script&gt;alert(2)')
  expect(html).not.toMatch(/<script|<img/)
  await server.deliveries((rows) => rows.every(({ state }) => state === 'SENT'))
  expect(JSON.parse(taken[0] ?? '')).toMatchObject({ alarms: [{ text: evil }] })
})

test.each([
  ['X-Plant', 'seven\r\nX-Admin: yes'],
  ['X-Plant\r\nX-Admin', 'yes'],
  ['Host', 'inside.example'],
  ['X-Plant', 'seven\u0000'],
])('the header %j: %j of a channel is refused (attack 91)', async (name, value) => {
  const { status, text } = await send('POST', 'channels', {
    ...hook,
    config: { ...hook.config, headers: { [name]: value } },
  })
  expect([400, 422]).toContain(status)
  expect(text).toContain('config')
})

test('lines that a server answers stay one answer of one delivery (attack 92)', async () => {
  reply = 'ok\r\n{"level":50,"msg":"owner deleted"}\u001b[31m\u0000'
  const made = await admin().createChannel({
    query,
    body: { name: 'Hook', type: 'webhook', config: { url } },
  })
  await admin().createNotification({
    query,
    body: { name: 'All', recipientFilters: [{ type: 'channel', id: made.id }] },
  })
  const device_id = await server.device(organization, 'Oven 7')
  await server.raise({ org: organization, device_id, name: 'Hot', severity: 6 })
  const [sent] = await server.deliveries(([row]) => row?.state === 'SENT')
  expect(sent?.answer).toContain('owner deleted')
  const { data } = await admin().deliveryLog({ query })
  expect(data).toHaveLength(1)
})

test.each([
  'http://127.1/',
  'http://[::1]:8080/',
  'http://[::ffff:169.254.169.254]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'file:///etc/passwd',
  'gopher://10.0.0.1/',
  'unix:/run/postgresql',
  'http://user:pass@example.org/',
])('no channel leads to %s (attack 100)', async (address) => {
  server.server.site.outside = { http: true, networks: [] }
  try {
    const places: [type: string, field: string, config: object][] = [
      ['webhook', 'config.url', { url: address }],
      ['teams', 'config.url', { url: address }],
      ['slack', 'config.url', { url: address }],
      ['telegram', 'config.server', { server: address, token: '1:a', chatId: '7' }],
      ['ntfy', 'config.server', { server: address, topic: 'plant' }],
    ]
    for (const [type, field, config] of places) {
      const { status, text } = await send('POST', 'channels', { name: 'Inside', type, config })
      expect([type, status]).toEqual([type, 422])
      expect(JSON.parse(text)).toMatchObject({
        code: 'notifications.address_refused',
        details: { field },
      })
    }
  } finally {
    server.server.site.outside = { http: true, networks: ['127.0.0.0/8'] }
  }
})

test('an address that was allowed and is not any more gets nothing (attack 100)', async () => {
  const made = await admin().createChannel({
    query,
    body: { name: 'Hook', type: 'webhook', config: { url } },
  })
  server.server.site.outside = { http: true, networks: [] }
  try {
    const tested = await admin().testChannel({ params: { id: made.id }, query, body: {} })
    expect(tested.ok).toBe(false)
    expect(taken).toEqual([])
  } finally {
    server.server.site.outside = { http: true, networks: ['127.0.0.0/8'] }
  }
})

test('no text of an alarm adds a header or a reader to a mail (attack 102)', async () => {
  await admin().createNotification({
    query,
    body: { name: 'All', recipientFilters: ['oskar'], longreach: { channels: ['mail'] } },
  })
  const evil = 'Hot\r\nBcc: everybody@example.com\r\n\r\nSubject: other'
  const device_id = await server.device(organization, `Oven\r\nCc: a@example.com`)
  await server.raise({ org: organization, device_id, name: evil, severity: 6, description: evil })
  const { to, text } = await server.post.mailTo('oskar@plant.example')
  expect(to).toEqual(['oskar@plant.example'])
  const headers = text.slice(0, text.indexOf('\r\n\r\n'))
  expect(headers).not.toMatch(/^(bcc|cc):/im)
  expect(headers.match(/^subject:/gim)).toHaveLength(1)
})

test.each([
  'a@b.example, c@d.example',
  'a@b.example\r\nBcc: c@d.example',
  '<a@b.example> <c@d.example>',
])('the address %j outside is none (attack 102)', async (id) => {
  const { status, text } = await send('POST', 'notifications', {
    name: 'Outside',
    recipientFilters: [{ type: 'address', id }],
  })
  expect([400, 422]).toContain(status)
  expect(text).toContain('recipientFilters')
})
