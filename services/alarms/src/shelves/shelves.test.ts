import { bitOf, type Capability } from '@longreach/authorization/capability'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'
import { endDueShelves, settleShelves } from './shelf-times.ts'

const hour = 3_600_000
const clock = { now: new Date('2026-01-05T12:00:00Z') }
let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
let bob: ReturnType<TestAlarms['member']>
const query = {}
const deps = () => ({ db: server.tables, now: () => clock.now })

const rights = (more: Partial<Capability> = {}): Capability => ({
  grants: { alarms: bitOf('read') | bitOf('ack'), devices: bitOf('read') },
  deviceGroups: [],
  ...more,
})

beforeAll(async () => {
  server = await testAlarms(() => clock.now)
  ann = server.member('ann', 'exor.plant', { below: true })
  bob = server.member('bob', 'exor.plant', { capability: rights() })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.tables.deleteFrom('shelf').execute()
  await server.tables.deleteFrom('occurrence').execute()
  await settleShelves(deps())
})

const inHours = (hours: number) => clock.now.getTime() + hours * hour
const pass = (hours: number) => {
  clock.now = new Date(clock.now.getTime() + hours * hour)
}

type More = { state?: number; severity?: number; startedAt?: number }

/** Reports an alarm of a device; 11: active and to acknowledge, 9: returned, 1: over. */
async function report(
  deviceId: string,
  name: string,
  { state = 11, severity = 3, startedAt }: More = {},
) {
  const at = clock.now.getTime()
  await server.report({
    deviceId,
    name,
    severity,
    state,
    description: '',
    tag: '',
    certificate: '',
    value: null,
    startedAt: startedAt ?? at,
    changedAt: at,
    heardAt: at,
  })
}

const openOf = async (who: typeof ann, deviceId: string, kind: 'open' | 'shelved' = 'open') =>
  (await who.listAlarms({ query, body: { kind, deviceId } })).data
const counted = async (deviceId: string) =>
  (
    await server.tables
      .selectFrom('device_count')
      .select(['n', 'max'])
      .where('device_id', '=', deviceId)
      .executeTakeFirst()
  )?.max
const announced = async (id: string) => {
  const { history } = await ann.alarmDetail({ params: { id }, query })
  return history.map(({ longreach: { kind } }) => kind)
}
const shelve = (
  who: typeof ann,
  target: Shelving['target'],
  { organization, ...more }: Partial<Shelving> & { organization?: string } = {},
) =>
  who.createShelf({
    query: { ...(organization !== undefined && { organization }) },
    body: { target, reason: 'maintenance', until: inHours(2), ...more },
  })
type Shelving = Parameters<typeof ann.createShelf>[0]['body']

test('a shelved device leaves list and counts, also with alarms that come later, until its time [R-22]', async () => {
  const deviceId = server.addDevice('exor.plant')
  await report(deviceId, 'Hot', { severity: 5 })
  const shelf = await shelve(bob, { type: 'device', id: deviceId }, { note: 'New seals' })
  expect(shelf).toMatchObject({ held: 1, by: 'bob@exor', mine: true, target: { label: 'Oven 7' } })
  await report(deviceId, 'Cold')
  await report(deviceId, 'Gone')
  await report(deviceId, 'Gone', { state: 1, startedAt: clock.now.getTime() })
  expect(await openOf(ann, deviceId)).toEqual([])
  const shelved = await openOf(ann, deviceId, 'shelved')
  expect(shelved.map(({ name, longreach }) => [name, longreach.shelf?.by])).toEqual([
    ['Hot', 'bob@exor'],
    ['Cold', 'bob@exor'],
  ])
  expect(shelved[0]?.longreach.shelf).toEqual({
    id: shelf.id,
    until: shelf.until,
    by: 'bob@exor',
    reason: 'maintenance',
    note: 'New seals',
    orgResourceId: 'exor.plant',
  })
  expect(await counted(deviceId)).toBe(-1)
  expect(await ann.severityCount({ query })).toEqual([])
  const { counts } = await ann.listAlarms({ query, body: { deviceId } })
  expect(counts).toMatchObject({ total: 0, shelved: 2 })
  const id = shelved[0]?.id ?? ''
  pass(1.9)
  await endDueShelves(deps())
  expect(await openOf(ann, deviceId)).toEqual([])
  pass(0.2)
  // Two processes at once, as after a restart: each alarm is announced once.
  await Promise.all([endDueShelves(deps()), endDueShelves(deps())])
  expect((await openOf(ann, deviceId)).map(({ name }) => name)).toEqual(['Hot', 'Cold'])
  expect(await announced(id)).toEqual(['raised', 'shelved', 'unshelved'])
  expect(await counted(deviceId)).toBe(5)
  const { history } = await ann.alarmDetail({ params: { id }, query })
  expect(history.map(({ longreach: { by, comment, reason } }) => [by, comment, reason])).toEqual([
    [null, null, null],
    ['bob@exor', 'New seals', 'maintenance'],
    [null, null, 'time'],
  ])
  expect((await ann.shelves({ query })).totalElements).toBe(0)
})

test('a shelf that ends on return lasts while one of its alarms is active [R-22 in part]', async () => {
  const deviceId = server.addDevice('exor.plant')
  const [one, other] = [clock.now.getTime(), clock.now.getTime()]
  await report(deviceId, 'One')
  await report(deviceId, 'Other')
  await shelve(ann, { type: 'device', id: deviceId }, { endOnReturn: true })
  pass(0.1)
  await endDueShelves(deps())
  await report(deviceId, 'One', { state: 1, startedAt: one })
  await endDueShelves(deps())
  expect((await ann.shelves({ query })).totalElements).toBe(1)
  await report(deviceId, 'Other', { state: 9, startedAt: other })
  await endDueShelves(deps())
  expect((await ann.shelves({ query })).data).toEqual([])
  expect(await openOf(ann, deviceId)).toMatchObject([{ name: 'Other', status: 'NOT_ACTIVE' }])
})

test('each kind of target holds what it names, and nothing beside it [R-22 in part]', async () => {
  const oven = server.addDevice('exor.plant', { groups: [7] })
  const press = server.addDevice('exor.plant.hall')
  const ruleId = await server.addRule('exor.plant', { class: 'Safety' })
  const words = { value: 231, limit: 230, values: {} }
  const at = clock.now.getTime()
  const raise = { kind: 'raise', t: at, level: 0, severity: 3, words } as const
  for (const deviceId of [oven, press]) {
    await report(deviceId, 'Hot')
    await report(deviceId, 'Cold')
    await server.ruleChanged({
      deviceId,
      ruleId,
      ruleVersion: 1,
      instance: '',
      heardAt: at,
      changes: [raise],
    })
  }
  const wide = { organization: 'exor.plant.*' }
  const held = async () => {
    const { data } = await ann.listAlarms({ query: wide, body: { kind: 'shelved' } })
    return data
      .map(({ deviceId, name }) => `${deviceId === oven ? 'oven' : 'press'} ${name}`)
      .toSorted()
  }
  const hot = (await openOf(ann, oven)).find(({ name }) => name === 'Hot')?.id ?? ''
  const cases = [
    [{ type: 'alarm', id: hot }, ['oven Hot']],
    [{ type: 'rule', id: ruleId }, ['oven Oven too hot', 'press Oven too hot']],
    [{ type: 'class', id: 'Safety' }, ['oven Oven too hot', 'press Oven too hot']],
    [{ type: 'group', id: '7' }, ['oven Cold', 'oven Hot', 'oven Oven too hot']],
    [
      { type: 'organization', id: 'exor.plant' },
      ['Cold', 'Hot', 'Oven too hot'].flatMap((name) => [`oven ${name}`, `press ${name}`]),
    ],
    [
      { type: 'organization', id: 'exor.plant.hall' },
      ['press Cold', 'press Hot', 'press Oven too hot'],
    ],
  ] as const
  for (const [target, expected] of cases) {
    const from = target.id === 'exor.plant.hall' ? wide : query
    const { id } = await shelve(ann, target, from)
    expect(await held()).toEqual(expected.toSorted())
    await ann.liftShelf({ params: { id }, query: from })
    expect(await held()).toEqual([])
  }
})

test('organizations below see a shelf from above with who and why, and lift it for themselves [R-22 in part]', async () => {
  const top = server.addDevice('exor.plant')
  const below = server.addDevice('exor.plant.hall')
  const cleo = server.member('cleo', 'exor.plant.hall')
  const dan = server.member('dan', 'exor.plant.hall', { capability: rights() })
  await report(top, 'Up')
  await report(below, 'Down')
  const { id } = await shelve(
    ann,
    { type: 'organization', id: 'exor.plant' },
    { note: 'Stocktaking' },
  )
  const [seen] = (await dan.shelves({ query })).data
  expect(seen).toMatchObject({
    id,
    by: 'ann@exor',
    note: 'Stocktaking',
    fromAbove: true,
    mayLift: false,
  })
  const params = { id }
  const body = { until: inHours(3) }
  await expect(cleo.changeShelf({ params, query, body })).rejects.toMatchObject({
    code: 'alarms.shelf_from_above',
  })
  await expect(dan.liftShelf({ params, query })).rejects.toMatchObject({
    status: 403,
    details: { permission: 'alarms:update' },
  })
  await cleo.liftShelf({ params, query })
  expect(await openOf(cleo, below)).toMatchObject([{ name: 'Down' }])
  expect((await cleo.shelves({ query })).data).toEqual([])
  expect(await openOf(ann, top)).toEqual([])
  await ann.liftShelf({ params, query })
  expect(await openOf(ann, top)).toMatchObject([{ name: 'Up' }])
})

test('over 8 hours, an organization, and what others shelved need the right to update [R-22 in part]', async () => {
  const deviceId = server.addDevice('exor.plant')
  await report(deviceId, 'Hot')
  const device = { type: 'device', id: deviceId } as const
  const needsUpdate = { status: 403, details: { permission: 'alarms:update' } }
  const org = { type: 'organization', id: 'exor.plant' } as const
  await expect(shelve(bob, device, { until: inHours(9) })).rejects.toMatchObject(needsUpdate)
  await expect(shelve(bob, org)).rejects.toMatchObject(needsUpdate)
  const own = await shelve(bob, device)
  const change = { params: { id: own.id }, query }
  await expect(bob.changeShelf({ ...change, body: { until: inHours(8.5) } })).rejects.toMatchObject(
    needsUpdate,
  )
  pass(1)
  // The eight hours count from the beginning: nobody extends a shelf for ever.
  await expect(bob.changeShelf({ ...change, body: { until: inHours(7.5) } })).rejects.toMatchObject(
    needsUpdate,
  )
  expect(await bob.changeShelf({ ...change, body: { until: inHours(4) } })).toMatchObject({
    until: inHours(4),
  })
  const eve = server.member('eve', 'exor.plant', { capability: rights() })
  expect((await eve.shelves({ query })).data[0]).toMatchObject({ mayChange: false, mayLift: false })
  await expect(eve.liftShelf(change)).rejects.toMatchObject(needsUpdate)
  await bob.liftShelf(change)
  await expect(bob.liftShelf(change)).rejects.toMatchObject({ status: 404 })
})

test('bad shelves are refused with the field, and nothing is shelved [R-22 in part]', async () => {
  const deviceId = server.addDevice('exor.plant')
  const foreign = server.addDevice('globex')
  await report(deviceId, 'Hot')
  await report(foreign, 'Secret')
  const outsider = server.member('oscar', 'globex')
  const [secret] = (await outsider.listAlarms({ query, body: {} })).data
  const ruleId = await server.addRule('globex')
  const device = { type: 'device', id: deviceId } as const
  const refused = async (target: Shelving['target'], more: Partial<Shelving>, expected: object) => {
    await expect(shelve(ann, target, more)).rejects.toMatchObject(expected)
  }
  const field = (name: string) => ({ details: { field: name } })
  await refused(
    device,
    { until: inHours(170) },
    { code: 'alarms.shelf_too_long', ...field('until') },
  )
  await refused(device, { until: 1e300 }, { code: 'alarms.shelf_too_long' })
  await refused(
    device,
    { until: inHours(0.1) },
    { code: 'alarms.shelf_too_short', ...field('until') },
  )
  await refused(
    device,
    { reason: 'other', note: '  ' },
    { code: 'alarms.note_required', ...field('note') },
  )
  const hidden = { status: 404, ...field('target.id') }
  await refused({ type: 'device', id: foreign }, {}, hidden)
  await refused({ type: 'alarm', id: secret?.id ?? '' }, {}, hidden)
  await refused({ type: 'rule', id: ruleId }, {}, hidden)
  await refused({ type: 'rule', id: "' or 1=1" }, {}, hidden)
  await refused({ type: 'organization', id: 'globex' }, {}, hidden)
  await refused({ type: 'organization', id: 'exor' }, {}, hidden)
  await refused({ type: 'organization', id: 'exor.plant.hall' }, {}, hidden)
  await refused({ type: 'group', id: '99' }, {}, hidden)
  await refused({ type: 'group', id: '1e3' }, {}, hidden)
  expect((await ann.shelves({ query })).data).toEqual([])
  const mine = await shelve(outsider, { type: 'device', id: foreign })
  const params = { id: mine.id }
  for (const call of [
    () => ann.shelf({ params, query }),
    () => ann.liftShelf({ params, query }),
    () => ann.changeShelf({ params, query, body: { until: inHours(1) } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
})

test('shelving the same twice at once makes one shelf [R-22 in part]', async () => {
  const deviceId = server.addDevice('exor.plant')
  await report(deviceId, 'Hot')
  const both = await Promise.allSettled(
    [1, 2].map(() => shelve(ann, { type: 'device', id: deviceId })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const failed = both.find((one) => one.status === 'rejected')
  expect(failed?.reason).toMatchObject({ status: 409, code: 'alarms.already_shelved' })
  const ids = (await openOf(ann, deviceId, 'shelved')).map(({ id }) => id)
  const body = { ids: [...ids, 'A'.repeat(22)], reason: 'sensor', until: inHours(1) } as const
  const bulk = await ann.shelveAlarms({ query, body: { ...body, ids: [...body.ids] } })
  expect(bulk).toEqual({ done: ids, skipped: [{ id: 'A'.repeat(22), reason: 'not_found' }] })
  expect((await ann.shelveAlarms({ query, body: { ...body, ids } })).skipped).toEqual([
    { id: ids[0], reason: 'already' },
  ])
  // The alarm goes back to the list when neither of the two holds it.
  const { data } = await ann.shelves({ query })
  expect(data.map(({ held }) => held).toSorted()).toEqual([0, 1])
  for (const { id } of data) {
    expect(await openOf(ann, deviceId)).toEqual([])
    await ann.liftShelf({ params: { id }, query })
  }
  expect((await openOf(ann, deviceId)).map(({ id }) => id)).toEqual(ids)
})

test('rights on a group shelve its devices, and nothing wider [R-22 in part]', async () => {
  const capability = rights({
    grants: { alarms: bitOf('read') | bitOf('ack') | bitOf('update') },
    deviceGroups: [{ mask: bitOf('read'), groups: [3] }],
  })
  const gus = server.member('gus', 'exor.plant', { capability })
  const seen = server.addDevice('exor.plant', { groups: [3] })
  const hidden = server.addDevice('exor.plant', { label: 'Secret press' })
  await report(seen, 'Hot')
  await report(hidden, 'Hidden')
  const ruleId = await server.addRule('exor.plant')
  const wide = { status: 403, code: 'alarms.shelf_too_wide' }
  await expect(shelve(gus, { type: 'rule', id: ruleId })).rejects.toMatchObject(wide)
  await expect(shelve(gus, { type: 'class', id: 'Safety' })).rejects.toMatchObject(wide)
  await expect(shelve(gus, { type: 'organization', id: 'exor.plant' })).rejects.toMatchObject(wide)
  await expect(shelve(gus, { type: 'device', id: hidden })).rejects.toMatchObject({ status: 404 })
  const shelved = await shelve(ann, { type: 'device', id: hidden })
  const group = await shelve(gus, { type: 'group', id: '3' })
  const { data } = await gus.shelves({ query })
  expect(data.map(({ id }) => id)).toEqual([group.id])
  expect(JSON.stringify(data)).not.toContain('Secret')
  const params = { id: shelved.id }
  await expect(gus.liftShelf({ params, query })).rejects.toMatchObject({ status: 404 })
  for (const { id } of [group, shelved]) await ann.liftShelf({ params: { id }, query })
})

test('no alarm misses a shelf that begins or ends while alarms come [R-22 in part]', async () => {
  const deviceId = server.addDevice('exor.plant')
  const many = (from: number) =>
    Promise.all(Array.from({ length: 8 }, (_, at) => report(deviceId, `Alarm ${from + at}`)))
  const [, shelf] = await Promise.all([many(0), shelve(ann, { type: 'device', id: deviceId })])
  expect(await openOf(ann, deviceId)).toEqual([])
  expect(await openOf(ann, deviceId, 'shelved')).toHaveLength(8)
  await Promise.all([many(8), ann.liftShelf({ params: { id: shelf.id }, query })])
  expect(await openOf(ann, deviceId, 'shelved')).toEqual([])
  expect(await openOf(ann, deviceId)).toHaveLength(16)
})

test('of 2,000 shelves of an organization no more are made, and those beside do not count', async () => {
  const deviceId = server.addDevice('exor.plant')
  const { id } = await shelve(ann, { type: 'device', id: deviceId })
  const fill = (org: string) =>
    server.database.pool.query(
      `insert into alarms.shelf select (jsonb_populate_record(s, jsonb_build_object(
         'id', gen_random_uuid(), 'org', $2::text, 'target_id', 'filled ' || n))).* from alarms.shelf s, generate_series(1, 2000) n
       where s.id = $1`,
      [id, org],
    )
  await fill('exor.other')
  await shelve(ann, { type: 'device', id: server.addDevice('exor.plant') })
  await fill('exor.plant')
  const more = shelve(ann, { type: 'device', id: server.addDevice('exor.plant') })
  await expect(more).rejects.toMatchObject({ status: 422, code: 'alarms.too_many_shelves' })
})
