import { bitOf } from '@longreach/authorization/capability'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
const query = {}
const reads = { grants: { alarms: bitOf('read'), devices: bitOf('read') }, deviceGroups: [] }
const content = {
  list: 'open',
  filters: { severity: 'critical' },
  columns: { class: true },
} as const

beforeAll(async () => {
  server = await testAlarms()
})
afterAll(() => server.close())

const named = (name: string, more: object = {}) => ({ query, body: { name, content, ...more } })

test('views are saved with filters and columns, of one person or shared, and one begins the list [R-22 in part]', async () => {
  const ann = server.member('ann', 'exor')
  const bob = server.member('bob', 'exor', { capability: reads })
  const own = await bob.createAlarmView(named('Night shift'))
  expect(own).toMatchObject({ content, mine: true, shared: false, isDefault: false, version: 1 })
  const shared = await ann.createAlarmView(named('Furnaces', { shared: true }))
  const list = async (who: typeof ann) => (await who.alarmViews({ query })).data
  expect((await list(bob)).map(({ name, mayChange }) => [name, mayChange])).toEqual([
    ['Furnaces', false],
    ['Night shift', true],
  ])
  expect((await list(ann)).map(({ name }) => name)).toEqual(['Furnaces'])
  await bob.setDefaultAlarmView({ query, body: { id: shared.id } })
  await bob.setDefaultAlarmView({ query, body: { id: shared.id } })
  expect((await list(bob)).map(({ isDefault }) => isDefault)).toEqual([true, false])
  expect((await list(ann)).map(({ isDefault }) => isDefault)).toEqual([false])
  const params = { id: shared.id }
  const body = { name: 'Furnaces', content, shared: false, version: 1 }
  expect(await ann.updateAlarmView({ params, query, body })).toMatchObject({ version: 2 })
  expect((await list(bob)).map(({ isDefault }) => isDefault)).toEqual([false])
  await expect(ann.updateAlarmView({ params, query, body })).rejects.toMatchObject({
    code: 'alarms.view_changed',
  })
  await expect(bob.setDefaultAlarmView({ query, body: { id: shared.id } })).rejects.toMatchObject({
    status: 404,
  })
})

test('each list has views of its own and a first one of its own [R-22 in part]', async () => {
  const cat = server.member('cat', 'lists')
  const lists = ['open', 'history', 'shelved'] as const
  const made = await Promise.all(
    lists.map((list) =>
      cat.createAlarmView(named(`of ${list}`, { content: { ...content, list } })),
    ),
  )
  await Promise.all(made.map(({ id }) => cat.setDefaultAlarmView({ query, body: { id } })))
  const first = async () =>
    (await cat.alarmViews({ query })).data
      .filter(({ isDefault }) => isDefault)
      .map(({ content: { list } }) => list)
      .toSorted()
  expect(await first()).toEqual(['history', 'open', 'shelved'])
  await cat.setDefaultAlarmView({ query, body: { id: null, list: 'shelved' } })
  await cat.setDefaultAlarmView({ query, body: { id: null } })
  expect(await first()).toEqual(['history'])
  await expect(
    cat.createAlarmView(named('x', { content: { ...content, list: 'rules' as 'open' } })),
  ).rejects.toMatchObject({ status: 400, details: { fields: [{ field: 'content.list' }] } })
})

test('sharing needs the right to update, a name is given once, and others see nothing [R-22 in part]', async () => {
  const ann = server.member('ann', 'acme')
  const bob = server.member('bob', 'acme', { capability: reads })
  const foreign = server.member('eve', 'globex')
  const notYours = { status: 403, code: 'alarms.view_not_yours' }
  await expect(bob.createAlarmView(named('Mine', { shared: true }))).rejects.toMatchObject(notYours)
  const shared = await ann.createAlarmView(named('All', { shared: true }))
  const params = { id: shared.id }
  const body = { name: 'All', content, shared: true, version: 1 }
  await expect(bob.updateAlarmView({ params, query, body })).rejects.toMatchObject(notYours)
  await expect(bob.deleteAlarmView({ params, query })).rejects.toMatchObject(notYours)
  const both = await Promise.allSettled(
    ['Same', 'same'].map((name) => bob.createAlarmView(named(name))),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    status: 409,
    details: { field: 'name' },
  })
  expect((await foreign.alarmViews({ query })).data).toEqual([])
  for (const call of [
    () => foreign.updateAlarmView({ params, query, body }),
    () => foreign.deleteAlarmView({ params, query }),
    () => foreign.setDefaultAlarmView({ query, body: { id: shared.id } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
  await expect(ann.createAlarmView(named(' '))).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'name' }] },
  })
  await ann.deleteAlarmView({ params, query })
  expect((await bob.alarmViews({ query })).data.map(({ name }) => name)).toHaveLength(1)
})

test('views and the first one of a person in one organization leave those in another alone [R-22 in part]', async () => {
  const here = server.member('dan', 'dan.one')
  const there = server.member('dan', 'dan.two')
  const { id } = await here.createAlarmView(named('First'))
  await here.setDefaultAlarmView({ query, body: { id } })
  await there.setDefaultAlarmView({ query, body: { id: null, list: 'open' } })
  expect((await here.alarmViews({ query })).data).toMatchObject([{ id, isDefault: true }])
  await server.database.pool.query(
    `insert into alarms.alarm_view select (jsonb_populate_record(v, jsonb_build_object(
       'id', gen_random_uuid(), 'org', 'dan.two', 'name', 'filled ' || n))).* from alarms.alarm_view v, generate_series(1, 200) n
     where v.id = $1`,
    [id],
  )
  await expect(there.createAlarmView(named('One more'))).rejects.toMatchObject({
    status: 422,
    code: 'alarms.too_many_views',
  })
  expect(await here.createAlarmView(named('Second'))).toMatchObject({ name: 'Second' })
  expect((await here.alarmViews({ query })).data).toHaveLength(2)
})
