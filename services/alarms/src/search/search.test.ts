import { bitOf, type Capability } from '@longreach/authorization/capability'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
let oven: string
let press: string
let presses: number[]
const start = Date.UTC(2026, 0, 5)
const query = {}

const reportOf = (deviceId: string, name: string, more: object = {}) => ({
  deviceId,
  name,
  description: `${name} at 231.5`,
  tag: 'Tag1',
  severity: 3,
  state: 11,
  startedAt: start,
  changedAt: start,
  heardAt: start,
  certificate: '',
  value: { type: 'double', value: 231.5 } as const,
  ...more,
})

const reads = (more: Partial<Capability>): Capability => ({
  grants: { alarms: bitOf('read') | bitOf('ack') },
  deviceGroups: [],
  ...more,
})

beforeAll(async () => {
  server = await testAlarms()
  ann = server.member('ann', 'exor')
  oven = server.addDevice('exor', { label: 'Oven Süd', groups: [1] })
  press = server.addDevice('exor', { label: 'Press 100%', groups: [2] })
  presses = [1, 2, 3, 4, 5]
  await server.report(
    reportOf(oven, 'Overheat', { severity: 6, heardAt: start + 10 }),
    reportOf(oven, 'Door', { state: 3, heardAt: start + 20, value: null }),
    ...presses.map((at) =>
      reportOf(press, `Pressure ${at}`, { severity: at, heardAt: start + 30 + at }),
    ),
    reportOf(press, 'Over', { state: 1, changedAt: start + 1, heardAt: start + 50 }),
  )
})
afterAll(() => server.close())

const namesOf = async (data: string, more: object = {}) =>
  (
    await ann.searchAlarms({
      query,
      body: { data, pageSize: 100, orderBy: 'name', orderDir: 'asc', ...more },
    })
  ).data.map(({ name }) => name)

test('the search of the mobile app, whose organization is in the body alone [C-19 in part]', async () => {
  const text =
    '{"data":"status ~= \\".*\\"","orderBy":"updatedAt","orderDir":"desc","page":0,"pageSize":10,"scopedOrganization":"exor"}'
  const post = async (sub: string, org: string | undefined, body = text) => {
    const caller = {
      kind: 'user',
      sub,
      username: `${sub}@exor`,
      realm: 'exor',
      ...(org && { org }),
    } as const
    const answer = await server.fetchAs(caller)('/svc/platform/api/v1/alarms/search', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    return {
      status: answer.status,
      body: (await answer.json()) as {
        data: Record<string, unknown>[]
        last: boolean
        totalElements: number
      },
    }
  }
  const { status, body } = await post('ann', 'exor')
  expect(status).toBe(200)
  expect(body).toMatchObject({ totalElements: 8, last: true, number: 0, totalPages: 1 })
  expect(body.data.map(({ name }) => name).slice(0, 2)).toEqual(['Over', 'Pressure 5'])
  for (const alarm of body.data)
    for (const field of ['severity', 'updatedAt', 'eventTimestamp'])
      expect(alarm[field]).toBeTypeOf('number')
  const doors = body.data.filter(({ name }) => name === 'Door')
  expect(doors[0]).not.toHaveProperty('value_double')
  server.member('two', 'acme')
  server.member('two', 'exor')
  expect((await post('two', 'acme')).body.totalElements).toBe(8)
  server.member('eve', 'acme')
  expect((await post('eve', 'acme')).status).toBe(404)
  const beside = server.member('two', 'acme').searchAlarms({
    query: { organization: 'acme' },
    body: { scopedOrganization: 'exor' },
  })
  await expect(beside).rejects.toMatchObject({ status: 404, code: 'auth.no_such_organization' })
  server.member('poor', 'acme')
  server.member('poor', 'exor', {
    capability: { grants: { devices: bitOf('read') }, deviceGroups: [] },
  })
  expect((await post('poor', 'acme')).status).toBe(403)
})

test('expressions over the fields of an alarm, with and without .keyword', async () => {
  expect(await namesOf('status == "ACTIVE" and severity >= 5')).toEqual(['Overheat', 'Pressure 5'])
  expect(
    await namesOf('name.keyword == "Door" or deviceLabel ~= "sud" and ack == "REQUIRED"'),
  ).toEqual(['Door', 'Overheat'])
  expect(await namesOf('deviceLabel ~= "100%"')).toHaveLength(6)
  expect(await namesOf('status != "ACTIVE"')).toEqual(['Over'])
  expect(await namesOf('value_double > 231 and name ~= "Over"')).toEqual(['Over', 'Overheat'])
  expect(await namesOf('value_double == null')).toEqual(['Door'])
  expect(await namesOf('longreach.late == true')).toEqual(['Over'])
  expect(await namesOf(`eventTimestamp == ${start} and severity in (6)`)).toEqual(['Overheat'])
  expect(await namesOf('')).toHaveLength(8)
})

test('every field of an alarm on the wire can be searched and ordered by', async () => {
  const { data } = await ann.searchAlarms({ query, body: { data: 'name == "Overheat"' } })
  const fields = Object.keys(data[0]!).filter((field) => field !== 'longreach')
  for (const orderBy of [...fields, 'acknowledgedDate', 'longreach.class', 'name.keyword'])
    for (const orderDir of ['asc', 'DESC'])
      expect(
        await namesOf(`${orderBy} != null or ${orderBy} == null`, { orderBy, orderDir }),
      ).toHaveLength(8)
})

test('pages have every alarm once, and the last one says so', async () => {
  const seen: string[] = []
  for (let page = 0; ; page += 1) {
    const answer = await ann.searchAlarms({
      query,
      body: { page, pageSize: 3, orderBy: 'severity' },
    })
    seen.push(...answer.data.map(({ name }) => name))
    expect(answer).toMatchObject({
      totalElements: 8,
      totalPages: 3,
      number: page,
      size: 3,
      last: page >= 2,
    })
    if (answer.last) break
  }
  expect(new Set(seen).size).toBe(8)
  expect(await ann.searchAlarms({ query, body: { page: 9 } })).toMatchObject({
    data: [],
    last: true,
    totalElements: 8,
  })
})

test('bad expressions, orders and cursors are named', async () => {
  const search = (body: object) => ann.searchAlarms({ query, body })
  const bad: [body: object, code: string, field: string][] = [
    [{ data: 'nope == 1' }, 'bad_expression', 'data'],
    [{ data: 'severity == "high"' }, 'bad_expression', 'data'],
    [{ data: '((' }, 'bad_expression', 'data'],
    [{ data: `${'('.repeat(5_000)}severity == 1` }, 'bad_expression', 'data'],
    [{ data: 'constructor == 1' }, 'bad_expression', 'data'],
    [{ orderBy: 'nope' }, 'bad_order', 'orderBy'],
    [{ orderBy: 'severity; drop table' }, 'bad_order', 'orderBy'],
    [{ orderDir: 'up' }, 'bad_order', 'orderDir'],
  ]
  for (const [body, code, field] of bad)
    await expect(search(body)).rejects.toMatchObject({
      status: 400,
      code: `alarms.${code}`,
      details: { field, message: expect.any(String) },
    })
  await expect(search({ pageSize: 0 })).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'pageSize' }] },
  })
  await expect(ann.listAlarms({ query, body: { next: 'x' } })).rejects.toMatchObject({
    code: 'alarms.bad_cursor',
    details: { field: 'next' },
  })
  await expect(ann.severityCountByDevice({ query: { next: 'x' } })).rejects.toMatchObject({
    code: 'alarms.bad_cursor',
  })
  await expect(ann.severityCountByDevice({ query: { filter: 'x' } })).rejects.toMatchObject({
    details: { field: 'filter' },
  })
  await expect(ann.alarmDetail({ params: { id: 'A'.repeat(22) }, query })).rejects.toMatchObject({
    status: 404,
    code: 'alarms.not_found',
  })
  await expect(ann.alarmHistory({ params: { id: 'x' }, query })).rejects.toMatchObject({
    status: 400,
  })
})

test('hostile patterns are texts', async () => {
  for (const pattern of [
    '(a+)+$',
    '%',
    '_',
    '\\\\',
    '.*.*.*.*.*x',
    `${'.*'.repeat(500)}x`,
    '[',
    "' or 1=1",
  ])
    expect(await namesOf(`name ~= "${pattern}"`)).toEqual([])
  expect(await namesOf('name ~= ".*"')).toHaveLength(8)
  expect(await namesOf('name ~= "^Press"')).toHaveLength(5)
})

test('the own list goes by key, severest first, with counts of all that is found', async () => {
  const seen: string[] = []
  let next: string | null | undefined
  while (next !== null) {
    const answer = await ann.listAlarms({ query, body: { pageSize: 2, ...(next && { next }) } })
    seen.push(...answer.data.map(({ name }) => name))
    expect(answer.counts).toEqual({
      total: 7,
      isExact: true,
      bySeverity: [0, 1, 1, 2, 1, 1, 1],
      unacknowledged: 6,
      shelved: 0,
      suppressed: 0,
    })
    next = answer.next
  }
  expect(seen.slice(0, 3)).toEqual(['Overheat', 'Pressure 5', 'Pressure 4'])
  expect(new Set(seen).size).toBe(7)
  const history = await ann.listAlarms({ query, body: { kind: 'history', pageSize: 3 } })
  expect(history.data.map(({ name }) => name)).toEqual(['Over', 'Pressure 5', 'Pressure 4'])
  const rest = await ann.listAlarms({ query, body: { kind: 'history', next: history.next ?? '' } })
  expect(rest.data).toHaveLength(5)
  expect((await ann.listAlarms({ query, body: { kind: 'shelved' } })).data).toEqual([])
})

test('filters of the own list', async () => {
  const list = async (body: object) =>
    (await ann.listAlarms({ query, body })).data.map(({ name }) => name)
  expect(await list({ search: 'press 4' })).toEqual(['Pressure 4'])
  expect(await list({ search: 'heat 231.5 süd' })).toEqual(['Overheat'])
  expect(await list({ search: 'pres*4' })).toEqual(['Pressure 4'])
  expect(await list({ search: 'ressure*' })).toEqual([])
  expect(await list({ severities: [1, 2] })).toEqual(['Pressure 2', 'Pressure 1'])
  expect(await list({ deviceId: oven, data: 'ack == "NOT_REQUIRED"' })).toEqual(['Door'])
  expect(await list({ kind: 'history', to: start - 1 })).toEqual([])
  expect(await list({ from: start + 10, kind: 'history' })).toHaveLength(7)
  expect(await list({ asOf: start })).toHaveLength(8)
  expect(await list({ asOf: start + 5 })).toHaveLength(7)
  expect(await list({ from: -1e20, to: 1e20 })).toHaveLength(7)
  for (const [from, to] of [
    [start - 1, start],
    [start, start + 3],
    [start + 5, start + 20],
    [start + 20, start + 5],
  ] as const) {
    const kind = 'history'
    const [within, since, until] = await Promise.all(
      [{ from, to }, { from }, { to }].map((times) => list({ kind, ...times })),
    )
    expect(within).toEqual(since?.filter((name) => until?.includes(name)))
    expect(within).not.toEqual([])
  }
})

test('counts by severity, of all and of each device [E-15]', async () => {
  expect(await ann.severityCount({ query })).toEqual(
    [1, 1, 2, 1, 1, 1].map((count, at) => ({ severity: at + 1, count })),
  )
  const first = await ann.severityCountByDevice({ query: { pageSize: 1 } })
  expect(first).toMatchObject({ last: false, next: expect.any(String) })
  const second = await ann.severityCountByDevice({ query: { pageSize: 1, next: first.next ?? '' } })
  expect(second).toMatchObject({ last: true, next: null })
  const both = Object.assign({}, ...first.data, ...second.data) as Record<string, unknown>
  expect(both[oven]).toEqual([
    { severity: 3, count: 1 },
    { severity: 6, count: 1 },
  ])
  const filtered = await ann.severityCountByDevice({ query: { filter: 'severity > 5' } })
  expect(filtered.data).toEqual([{ [oven]: [{ severity: 6, count: 1 }] }])
})

test('another organization sees nothing; the organizations below belong to a call that asks for them', async () => {
  const stranger = server.member('eve', 'other')
  const { id } = (await ann.searchAlarms({ query, body: {} })).data[0]!
  expect((await stranger.searchAlarms({ query, body: {} })).totalElements).toBe(0)
  expect((await stranger.listAlarms({ query, body: { deviceId: oven } })).counts.total).toBe(0)
  expect(await stranger.severityCount({ query })).toEqual([])
  expect((await stranger.severityCountByDevice({ query })).data).toEqual([])
  await expect(stranger.alarmDetail({ params: { id }, query })).rejects.toMatchObject({
    status: 404,
  })
  await expect(stranger.alarmHistory({ params: { id }, query })).rejects.toMatchObject({
    status: 404,
  })
  await expect(
    stranger.searchAlarms({ query: { organization: 'exor' }, body: {} }),
  ).rejects.toMatchObject({ status: 404 })
  const below = server.addDevice('exor.press')
  await server.report(reportOf(below, 'Below'), reportOf(server.addDevice('exor-b'), 'Beside'))
  const chief = server.member('chief', 'exor', { below: true })
  const count = async (organization: string) =>
    (await chief.searchAlarms({ query: { organization }, body: {} })).totalElements
  expect([await count('exor'), await count('exor.*'), await count('*')]).toEqual([8, 9, 9])
  expect(
    (await chief.searchAlarms({ query, body: { scopedOrganization: 'exor.*' } })).totalElements,
  ).toBe(9)
  const sum = async (more: object) =>
    (await chief.severityCount({ query: more })).reduce((total, one) => total + one.count, 0)
  expect([await sum({}), await sum({ below: 'true' }), await sum({ organization: '*' })]).toEqual([
    7, 8, 8,
  ])
})

test('a device group hides the alarms of other devices: rows, counts, actions', async () => {
  const capability = reads({ deviceGroups: [{ mask: bitOf('read'), groups: [1] }] })
  const gus = server.member('gus', 'exor', { capability })
  const { data, totalElements } = await gus.searchAlarms({ query, body: { pageSize: 100 } })
  expect(data.map(({ name }) => name).toSorted()).toEqual(['Door', 'Overheat'])
  expect(totalElements).toBe(2)
  expect(await gus.severityCount({ query })).toEqual([
    { severity: 3, count: 1 },
    { severity: 6, count: 1 },
  ])
  expect((await gus.severityCountByDevice({ query })).data).toHaveLength(1)
  expect((await gus.listAlarms({ query, body: {} })).counts.total).toBe(2)
  const hidden = (await ann.searchAlarms({ query, body: { data: 'name == "Pressure 5"' } }))
    .data[0]!.id
  await expect(gus.alarmDetail({ params: { id: hidden }, query })).rejects.toMatchObject({
    status: 404,
  })
  await expect(gus.acknowledge({ query, body: { id: hidden } })).rejects.toMatchObject({
    status: 404,
  })
  const { data: devices } = await server
    .member('none', 'exor', { capability: reads({}) })
    .searchAlarms({ query, body: {} })
  expect(devices).toEqual([])
})

test('rights on some paths show alarms of rules on these paths alone, and no value of another', async () => {
  const device = server.addDevice('exor', { groups: [7] })
  const texts = { en: '{value} {Oven:1/speed|1}' }
  const words = { value: 231, limit: 230, values: { speed: 4242.42, temp: 231 } }
  const rule = async (name: string, path: string, more: object = {}) => {
    const ruleId = await server.addRule('exor', {
      name,
      texts,
      when: { path, op: '>', value: 1 },
      ...more,
    })
    const raise = { kind: 'raise', t: start, level: 0, severity: 2, words } as const
    await server.ruleChanged({
      deviceId: device,
      ruleId,
      ruleVersion: 1,
      instance: path.includes('*') ? '3' : '',
      changes: [raise],
      heardAt: start,
    })
  }
  await rule('hot', 'Oven:1/temp')
  await rule('fast', 'Oven:1/speed')
  await rule('zone', 'zones[*]/temp')
  await rule('both', 'Oven:1/temp', {
    when: {
      all: [
        { path: 'temp', op: '>', value: 1 },
        { path: 'speed', op: '>', value: 1 },
      ],
    },
  })
  await rule('silent', 'x', { kind: 'silence', when: { forMs: 1_000 } })
  await server.report(reportOf(device, 'own'))
  const paths = (read: string[]) =>
    reads({ paths: [{ groups: [7], mask: bitOf('read'), read, history: [], write: [] }] })
  const pia = server.member('pia', 'exor', {
    capability: paths(['Oven:1/temp', 'Oven:*/zones[*]/temp']),
  })
  const { data, totalElements } = await pia.searchAlarms({
    query,
    body: { pageSize: 100, orderBy: 'name', orderDir: 'asc' },
  })
  expect(data.map(({ name }) => name)).toEqual(['hot', 'silent', 'zone'])
  expect(totalElements).toBe(3)
  const hot = data[0]!
  expect(hot).toMatchObject({
    description: '',
    value_double: 231,
    longreach: { path: 'Oven:1/temp', words: { value: 231, values: { temp: 231 } } },
  })
  expect(JSON.stringify(data)).not.toContain('4242.4')
  expect(data.at(-1)?.longreach.path).toBe('Oven:1/zones[3]/temp')
  expect(await pia.severityCount({ query })).toEqual([{ severity: 2, count: 3 }])
  expect((await pia.severityCountByDevice({ query })).data).toEqual([
    { [device]: [{ severity: 2, count: 3 }] },
  ])
  // Whom the attributes of a device do not tell of its alarms sees here those that they may see.
  const limited = { query: { ...query, limited: 'true' as const } }
  expect((await pia.severityCountByDevice(limited)).data).toEqual([
    { [device]: [{ severity: 2, count: 3 }] },
  ])
  expect((await ann.severityCountByDevice(limited)).data).toEqual([])
  const both = server.member('pat', 'exor', {
    capability: {
      ...paths(['Oven:1/temp']),
      deviceGroups: [{ groups: [7], mask: bitOf('read') }],
    },
  })
  expect((await both.severityCountByDevice(limited)).data).toEqual([])
  expect((await both.severityCountByDevice({ query })).data).toHaveLength(1)
  const leaks = async (expression: string) =>
    (await pia.searchAlarms({ query, body: { data: expression } })).totalElements
  expect(await leaks('description ~= "4242"')).toBe(0)
  expect((await pia.listAlarms({ query, body: { search: '4242' } })).counts.total).toBe(0)
  const all = await ann.searchAlarms({
    query,
    body: { data: `deviceId == "${device}"`, orderBy: 'name', orderDir: 'asc' },
  })
  const fast = all.data.find(({ name }) => name === 'fast')!
  expect(fast.description).toBe('231 4242.4')
  await expect(pia.alarmDetail({ params: { id: fast.id }, query })).rejects.toMatchObject({
    status: 404,
  })
  const { history } = await pia.alarmDetail({ params: { id: hot.id }, query })
  expect(JSON.stringify(history)).not.toContain('4242.4')
  // Who is told of a change, and sees it on the time-line, is limited by the same paths.
  const { rows: told } = await server.database.pool.query<{ name: string; other: string[] | null }>(
    `select payload->'data'->>'name' as name, payload->'data'->'path' as path,
       payload->'data'->'otherPaths' as other from bus.event
     where topic = 'timeline.recorded' and payload->>'deviceId' = $1 order by 1`,
    [device],
  )
  expect(told).toEqual([
    { name: 'both', path: 'Oven:1/temp', other: ['Oven:1/speed'] },
    { name: 'fast', path: 'Oven:1/speed', other: [] },
    { name: 'hot', path: 'Oven:1/temp', other: [] },
    { name: 'own', path: null, other: null },
    { name: 'silent', path: null, other: [] },
    { name: 'zone', path: 'Oven:1/zones[3]/temp', other: [] },
  ])
  const { rows: changed } = await server.database.pool.query<{ paths: string[] | null }>(
    `select payload->'paths' as paths from bus.event where topic = 'alarms.changed'
     and payload->>'id' = any($1) order by 1`,
    [[all.data.find(({ name }) => name === 'both')!.id]],
  )
  expect(changed).toEqual([{ paths: ['Oven:1/temp', 'Oven:1/speed'] }])
  const none = server.member('nia', 'exor', { capability: paths(['Press:1/**']) })
  const [silent, ...others] = (await none.searchAlarms({ query, body: {} })).data
  expect(others).toEqual([])
  expect(silent).toMatchObject({ name: 'silent', longreach: { words: null } })
  expect(silent).not.toHaveProperty('value_double')
})

test('without the right to read alarms nothing is answered', async () => {
  const poor = server.member('poor2', 'exor', {
    capability: { grants: { devices: bitOf('read') }, deviceGroups: [] },
  })
  const { id } = (await ann.searchAlarms({ query, body: {} })).data[0]!
  const calls = [
    poor.searchAlarms({ query, body: {} }),
    poor.listAlarms({ query, body: {} }),
    poor.severityCount({ query }),
    poor.severityCountByDevice({ query }),
    poor.alarmDetail({ params: { id }, query }),
    poor.alarmHistory({ params: { id }, query }),
  ]
  for (const call of calls)
    await expect(call).rejects.toMatchObject({ status: 403, code: 'auth.missing_permission' })
})

test('of more than 10,000 alarms the total is estimated, and the last page still says so', async () => {
  const lea = server.member('lea', 'large')
  const deviceId = server.addDevice('large')
  await server.report(reportOf(deviceId, 'First'))
  await server.database.pool.query(
    `insert into alarms.occurrence (id, org, device_id, source, name, severity, level, max_severity, start_t,
       heard_t, updated_t, returned_t, closed_t, active, ack_required, reset_required)
     select lpad(i::text, 22, 'i'), 'large', $1, 'd:more', 'more', 1, 1, 1, at, at, at, at, at, false, false, false
     from generate_series(1, 10500) i, lateral (select timestamptz '2025-01-01' + i * interval '1 minute') as t(at)`,
    [deviceId],
  )
  const page = async (number: number) =>
    lea.searchAlarms({ query, body: { page: number, pageSize: 1_000 } })
  const first = await page(0)
  expect(first).toMatchObject({ number: 0, last: false })
  expect(first.totalElements).toBeGreaterThan(10_000)
  const tenth = await page(10)
  expect(tenth.data).toHaveLength(501)
  expect(tenth).toMatchObject({ last: true, totalElements: 10_501, totalPages: 11 })
  const { counts } = await lea.listAlarms({ query, body: { kind: 'history', pageSize: 1 } })
  expect(counts.isExact).toBe(false)
  const open = await lea.listAlarms({ query, body: {} })
  expect(open.counts).toMatchObject({ total: 1, isExact: true })
})
