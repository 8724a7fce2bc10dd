import { person } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
let send: (path: string, body: unknown) => Promise<{ status: number; text: string }>
const base = '/svc/platform/api/v1/alarms'
const caller = person('ann', 'exor', 'exor')

const t = Date.now() - 60_000
const report = {
  name: `<img src=x onerror=alert(1)>'; drop table alarms.occurrence; --`,
  description: '=cmd|calc\r\nBcc: everybody@example.com ${constructor.constructor} %s',
  tag: '__proto__',
  severity: 4,
  certificate: '',
  value: { type: 'string' as const, value: '{"$gt":""}' },
  state: 11,
  startedAt: t,
  changedAt: t,
  heardAt: t,
}

beforeAll(async () => {
  server = await testAlarms()
  server.member('ann', 'exor')
  const deviceId = server.addDevice('exor')
  await server.report({ ...report, deviceId })
  const fetch = server.fetchAs(caller)
  send = async (path, body) => {
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
})
afterAll(() => server.close())

const calls = ['/search', '/list', '/action/ack', '/action/ackAll', '/rules/validate', '/rules']
const total = async () => {
  const { text } = await send('/search', {})
  return (JSON.parse(text) as { totalElements: number }).totalElements
}

test('prototypes in bodies change no object and no answer (attack 83)', async () => {
  for (const path of calls) {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const body = `{"${key}":{"isAdmin":true,"scopedOrganization":"acme","data":"severity > 0"},"page":0}`
      const { status } = await send(path, body)
      expect([path, key, status < 500]).toEqual([path, key, true])
    }
  }
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  expect(await total()).toBe(1)
})

test('values of other types than asked for are refused by their field (attack 84)', async () => {
  const strange = [['a'], { $gt: '' }, 7, true]
  for (const value of strange) {
    for (const [path, field] of [
      ['/search', 'data'],
      ['/search', 'orderBy'],
      ['/list', 'search'],
      ['/list', 'deviceId'],
      ['/action/ack', 'id'],
      ['/action/ack', 'comment'],
      ['/action/ackAll', 'data'],
    ] as const) {
      const { status, text } = await send(path, { [field]: value })
      expect([path, field, status]).toEqual([path, field, 400])
      expect(text).toContain(field)
    }
  }
  const { status } = await send('/action/ack', { ids: [{ $gt: '' }] })
  expect(status).toBe(400)
})

test('signs of databases and of patterns are plain text in a search (attack 85) (attack 87)', async () => {
  const list = async (search: string) => {
    const { status, text } = await send('/list', { kind: 'history', search })
    expect([search, status]).toEqual([search, 200])
    return (JSON.parse(text) as { data: unknown[] }).data.length
  }
  for (const found of ['drop', `'; drop`, 'onerror=alert(1)', '__proto__', '${constructor', '%s'])
    expect([found, await list(found)]).toEqual([found, 1])
  for (const none of [`' or '1'='1`, '_x_', '%%%', `'); select pg_sleep(9); --`, '\\', '(a+)+$'])
    expect([none, await list(none)]).toEqual([none, 0])
  const search = async (data: string) => send('/search', { data })
  const quoted = await search(`name ~= "'; drop table alarms.occurrence; --"`)
  expect(JSON.parse(quoted.text)).toMatchObject({ totalElements: 1 })
  for (const data of [
    `name == "x" or 1=1`,
    `1; select 1`,
    `name == "a" union select 1`,
    `org == "acme"`,
  ])
    expect((await search(data)).status).toBe(400)
  const order = await send('/search', { orderBy: 'name; drop table alarms.rule' })
  expect([order.status, JSON.parse(order.text)]).toMatchObject([400, { code: 'alarms.bad_order' }])
  expect(await total()).toBe(1)
})

test('pages that are no pages are refused, deep and doubled bodies too (attack 86)', async () => {
  for (const [field, value] of [
    ['page', -1],
    ['page', 1e300],
    ['page', 0.5],
    ['pageSize', 0],
    ['pageSize', -5],
    ['pageSize', 1e9],
    ['pageSize', null],
  ] as const) {
    const { status, text } = await send('/search', { [field]: value })
    expect([field, value, status]).toEqual([field, value, 400])
    expect(text).toContain(field)
  }
  expect((await send('/search', '{"page":NaN}')).status).toBe(400)
  const deep = `{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  expect((await send('/search', deep)).status).toBe(400)
  const doubled = '{"pageSize":10,"pageSize":0}'
  expect((await send('/search', doubled)).status).toBe(400)
  expect((await send('/search', '\uFEFF{"page":0}')).status).toBeLessThan(500)
  for (const next of ['x', 'e30', 'A'.repeat(400), 'bnVsbA'])
    expect([next, (await send('/list', { next })).status]).toEqual([next, 400])
})

test('markup of a device is data: it comes back as it was, as JSON that no browser runs (attack 89)', async () => {
  const answer = await server.fetchAs(caller)(`${base}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  const { data } = (await answer.json()) as { data: { name: string; description: string }[] }
  expect(data[0]?.name).toBe(`<img src=x onerror=alert(1)>'; drop table alarms.occurrence; --`)
  expect(data[0]?.description).toContain('\r\nBcc: everybody@example.com')
})

test('a word in the labels of very many devices finds their alarms', async () => {
  const device = server.addDevice('exor', { label: 'Crowd 0', groups: [1] })
  await server.report({ ...report, deviceId: device, name: 'Jam' })
  const crowd = Array.from({ length: 250 }, (_, n) => ({
    device_id: `crowd-${n}`,
    org: 'exor',
    label: `Crowd ${n + 1}`,
    groups: [1],
    deleted: false,
  }))
  await server.tables.insertInto('device').values(crowd).execute()
  const { data, counts } = await server
    .member('ann', 'exor')
    .listAlarms({ query: {}, body: { search: 'crowd' } })
  expect([data.map(({ name }) => name), counts.total]).toEqual([['Jam'], 1])
})
