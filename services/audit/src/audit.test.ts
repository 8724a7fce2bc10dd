import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { type TestServer, testNow, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditContract } from './contract.ts'
import { clearTrail, publishRecords, record } from './records-for-tests.ts'
import { audit } from './service.ts'

let server: TestServer
let people: Seeded['people']
let now = testNow
beforeAll(async () => {
  const options = { admit: coreAuthorizer, now: () => now }
  server = await testServer([identityForTests, core, audit], options)
  ;({ people } = await seed(server))
  await server.settle()
})
afterAll(() => server.close())
beforeEach(async () => {
  now = testNow
  await clearTrail(server)
})

const as = (caller: Caller) => server.as(caller, auditContract)
type Question = Parameters<ReturnType<typeof as>['search']>[0]['query']
const found = async (query: Question, caller = people.owner) =>
  (await as(caller).search({ query: { organization: 'nordwerk.*', ...query } })).data.map(
    ({ target }) => target,
  )
const minutesAgo = (minutes: number) => new Date(testNow.getTime() - minutes * 60_000)
const daysAgo = (days: number) => minutesAgo(days * 1440)

test('a change stands in the trail with who, what, where from, before and after [A-02 in part]', async () => {
  await publishRecords(
    server,
    record({
      before: { label: 'Oven' },
      after: { label: 'Oven 7' },
      actor: {
        kind: 'user',
        sub: 'anna',
        username: 'anna',
        realm: 'nordwerk',
        impersonator: { sub: 'adam', username: 'adam' },
      },
    }),
  )
  const { data } = await as(people.owner).search({ query: { organization: 'nordwerk' } })
  expect(data).toEqual([
    {
      id: 1,
      at: testNow,
      organization: 'nordwerk',
      call: 'mappings.updateDevice',
      resource: 'devices',
      action: 'update',
      target: 'oven-7',
      label: 'Oven 7',
      outcome: 'done',
      status: null,
      code: null,
      count: 1,
      actor: {
        kind: 'user',
        sub: 'anna',
        username: 'anna',
        realm: 'nordwerk',
        apiKey: null,
        impersonator: { sub: 'adam', username: 'adam' },
      },
      ip: '10.0.0.5',
      actorUsername: 'adam',
      impersonatedUsername: 'anna',
      entityId: 'oven-7',
      entityIdString: 'oven-7',
      entityType: 'devices',
      event: 'update',
      orgResourceId: 'nordwerk',
      timestamp: testNow.getTime(),
    },
  ])
  const detail = await as(people.owner).entry({
    params: { id: 1 },
    query: { organization: 'nordwerk' },
  })
  expect(detail).toMatchObject({ before: { label: 'Oven' }, after: { label: 'Oven 7' } })
  expect(detail.input).toEqual(detail.after)
  expect(detail.hash).toMatch(/^[0-9a-f]{64}$/)
})

test('changes of core arrive by themselves, in order and once', async () => {
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) {
    const group = await server
      .as(people.owner, (await import('@longreach/core/contract')).coreContract)
      .createUserGroup({ params: { org: 'nordwerk' }, body: { name } })
    ids.push(String(group.id))
  }
  await Promise.all([server.settle(), server.settle()])
  await server.settle()
  const { data } = await as(people.owner).search({ query: { organization: 'nordwerk' } })
  expect(data.map(({ action, resource }) => `${resource}:${action}`)).toEqual(
    Array.from({ length: 3 }, () => 'usergroups:create'),
  )
  expect(data[0]?.actor.username).toBe('owner')
})

test('lines of people who changed their own preferences can be left out, but no refusal', async () => {
  const preference = { call: 'core.setUserPreference', resource: 'core', action: 'update' }
  await publishRecords(
    server,
    record({ id: 'language', ...preference, at: minutesAgo(3) }),
    record({ id: 'refused', ...preference, at: minutesAgo(2), outcome: 'refused', status: 403 }),
    record({ id: 'oven', at: minutesAgo(1) }),
  )
  expect(await found({})).toEqual(['oven', 'refused', 'language'])
  expect(await found({ ownPreferences: 'hidden' })).toEqual(['oven', 'refused'])
})

test('each filter finds its lines', async () => {
  const by = (username: string, kind: 'user' | 'apiKey' = 'user') => ({
    actor: { kind, sub: username, username, realm: 'nordwerk' },
  })
  await publishRecords(
    server,
    record({ id: 'a', at: minutesAgo(30), ...by('anna') }),
    record({ id: 'b', at: minutesAgo(20), resource: 'roles', action: 'delete', ...by('bert') }),
    record({ id: 'c', at: minutesAgo(10), ip: '192.168.1.1', organization: 'nordwerk.press' }),
    record({ id: 'd', at: minutesAgo(5), outcome: 'refused', status: 403, ...by('bot', 'apiKey') }),
    record({
      id: 'e',
      label: 'Presse „Süd“ 12',
      after: { serial: 'SN-4711', nested: [{ x: 'Zed' }] },
    }),
  )
  expect(await found({})).toEqual(['e', 'd', 'c', 'b', 'a'])
  expect(await found({ organization: 'nordwerk' })).toEqual(['e', 'd', 'b', 'a'])
  expect(await found({ from: minutesAgo(20), to: minutesAgo(10) })).toEqual(['c', 'b'])
  expect(await found({ actor: ['bert', 'bot'] })).toEqual(['d', 'b'])
  expect(await found({ actor: ['bert@nordwerk', 'Bot@nordwerk'] })).toEqual(['d', 'b'])
  expect(await found({ actor: ['bert@acqua'] })).toEqual([])
  expect(await found({ actorKind: 'apiKey' })).toEqual(['d'])
  expect(await found({ resource: 'roles' })).toEqual(['b'])
  expect(await found({ action: ['delete'] })).toEqual(['b'])
  expect(await found({ outcome: 'refused' })).toEqual(['d'])
  expect(await found({ ip: '192.168.' })).toEqual(['c'])
  expect(await found({ resource: 'devices', target: 'e' })).toEqual(['e'])
  expect(await found({ text: 'süd 12' })).toEqual(['e'])
  expect(await found({ text: 'sn-47' })).toEqual(['e'])
  expect(await found({ text: 'zed' })).toEqual(['e'])
  expect(await found({ text: 'bert' })).toEqual(['b'])
  expect(await found({ text: 'nowhere' })).toEqual([])
  expect(await found({ text: `'); drop table audit.entry; -- ` })).toEqual([])
  expect(await found({ text: ' & | ! :* ' })).toEqual(['e', 'd', 'c', 'b', 'a'])
})

test('pages go on where they were, whatever arrives meanwhile', async () => {
  await publishRecords(server, ...Array.from({ length: 25 }, (_, n) => record({ id: `d${n}` })))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query = { organization: 'nordwerk', pageSize: 10, ...(cursor !== null && { cursor }) }
    const page = await as(people.owner).search({ query })
    seen.push(...page.data.map(({ target }) => target))
    cursor = page.next
    await publishRecords(server, record({ id: 'late' }))
  } while (cursor !== null)
  expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `d${24 - n}`))
})

test.each(['x', '1.', '-1.2', '1e3.4', '99999999999999999.1'])(
  'the cursor "%s" is refused by name',
  async (cursor) => {
    const search = as(people.owner).search({ query: { organization: 'nordwerk', cursor } })
    await expect(search).rejects.toMatchObject({ status: 400, code: 'audit.cursor_refused' })
  },
)

test('bad questions are named', async () => {
  const bad = { organization: 'nordwerk', pageSize: 0 }
  await expect(as(people.owner).search({ query: bad })).rejects.toMatchObject({ status: 400 })
  const date = { organization: 'nordwerk', from: 'yesterday' } as never
  await expect(as(people.owner).search({ query: date })).rejects.toMatchObject({ status: 400 })
  const entry = as(people.owner).entry({ params: { id: 77 }, query: { organization: 'nordwerk' } })
  await expect(entry).rejects.toMatchObject({ status: 404, code: 'audit.not_found' })
})

test('nobody sees the trail of another organization [A-05]', async () => {
  await publishRecords(
    server,
    record({ organization: 'nordwerk.service', label: 'canary' }),
    record({ organization: 'acqua', label: 'theirs' }),
    record({ organization: 'nordwerk_service', label: 'canary' }),
    record({ organization: 'nordwerkx', label: 'canary' }),
  )
  for (const organization of ['acqua', 'acqua.*']) {
    const query = { organization }
    const page = await as(people.foreigner).search({ query })
    expect(page.data.map(({ label }) => label)).toEqual(['theirs'])
    for (const id of [1, 3, 4]) {
      const entry = as(people.foreigner).entry({ params: { id }, query })
      await expect(entry).rejects.toMatchObject({ status: 404 })
    }
    const file = await server.fetchAs(people.foreigner)(
      `/svc/audit/api/v1/export?organization=${organization}`,
    )
    expect(await file.text()).not.toContain('canary')
    const facets = await as(people.foreigner).facets({ query })
    expect(facets.resources).toEqual([{ value: 'devices', count: 1 }])
  }
  const query = { organization: 'nordwerk.service' }
  await expect(as(people.foreigner).search({ query })).rejects.toMatchObject({ status: 404 })
})

test('an organization above sees those below only with a right that reaches down', async () => {
  await publishRecords(
    server,
    record({ id: 'top' }),
    record({ id: 'service', organization: 'nordwerk.service' }),
    record({ id: 'press', organization: 'nordwerk.press' }),
  )
  expect(await found({})).toEqual(['press', 'service', 'top'])
  expect(await found({ organization: 'nordwerk' })).toEqual(['top'])
  expect(await found({ organization: 'nordwerk.service.*' }, people.administrator)).toEqual([
    'service',
  ])
  const above = as(people.administrator).search({ query: { organization: 'nordwerk' } })
  await expect(above).rejects.toMatchObject({ status: 404 })
  const plain = as(people.parentPlain).search({ query: { organization: 'nordwerk.*' } })
  await expect(plain).rejects.toMatchObject({ status: 403 })
})

test.each(['viewer', 'operator', 'member'] as const)(
  'a %s without audit:access sees no trail, not even their own acts [A-02 in part]',
  async (name) => {
    const query = { organization: 'nordwerk.service' }
    const refused = { status: 403, code: 'auth.missing_permission' }
    const calls = as(people[name])
    await expect(calls.search({ query })).rejects.toMatchObject(refused)
    await expect(calls.entry({ params: { id: 1 }, query })).rejects.toMatchObject(refused)
    await expect(calls.facets({ query })).rejects.toMatchObject(refused)
    await expect(calls.export({ query })).rejects.toMatchObject(refused)
    await expect(calls.retention({ query })).rejects.toMatchObject(refused)
    await expect(calls.verify({ query })).rejects.toMatchObject(refused)
    await expect(calls.verification({ query })).rejects.toMatchObject(refused)
    await expect(calls.report({})).rejects.toMatchObject(refused)
  },
)

test('what belongs to nobody is seen at the root, unless there are several', async () => {
  const nobody = { kind: 'nobody' as const, sub: '', username: '', realm: '' }
  await publishRecords(server, record({ id: 'bad token', organization: '', actor: nobody }))
  expect(await found({ organization: 'nordwerk' })).toEqual([])
  await server.database.pool.query(`update core.organization set status = 'DELETED'
    where resource_id = 'acqua'`)
  now = new Date(testNow.getTime() + 120_000)
  expect(await found({ organization: 'nordwerk' })).toEqual(['bad token'])
  expect(await found({ organization: 'nordwerk.service.*' })).toEqual([])
  await server.database.pool.query(`update core.organization set status = 'ACTIVE'
    where resource_id = 'acqua'`)
  now = new Date(testNow.getTime() + 240_000)
  expect(await found({ organization: 'nordwerk' })).toEqual([])
})

test('what has no organization belongs to the root of the realm', async () => {
  await publishRecords(server, record({ id: 'sign-in', organization: '' }))
  expect(await found({ organization: 'nordwerk' })).toEqual(['sign-in'])
})

test('filters know the values that there are, the most frequent first', async () => {
  const refused = record({ resource: 'roles', action: 'delete', outcome: 'refused' })
  const key = record({ actor: { kind: 'apiKey', sub: 'bot', username: 'bot', realm: '' } })
  await publishRecords(server, record(), record(), refused, key, record({ at: daysAgo(3) }))
  const query = { organization: 'nordwerk', from: daysAgo(1) }
  expect(await as(people.owner).facets({ query })).toEqual({
    resources: [
      { value: 'devices', count: 3 },
      { value: 'roles', count: 1 },
    ],
    actions: [
      { value: 'update', count: 3 },
      { value: 'delete', count: 1 },
    ],
    calls: [{ value: 'mappings.updateDevice', count: 4 }],
    outcomes: [
      { value: 'done', count: 3 },
      { value: 'refused', count: 1 },
    ],
    actors: [
      { value: 'anna', kind: 'user', count: 3 },
      { value: 'bot', kind: 'apiKey', count: 1 },
    ],
  })
})

test('things of one resource are told apart by the calls about them', async () => {
  const alarms = (id: string, call: string) => record({ id, resource: 'alarms', call })
  await publishRecords(
    server,
    alarms('oven hot', 'alarms.acknowledge'),
    alarms('rule 1', 'alarms.createRule'),
    alarms('rule 2', 'alarms.replaceRule'),
    record({ id: 'oven' }),
  )
  const calls = ['alarms.createRule', 'alarms.replaceRule']
  const from = (more: object) => found({ organization: 'nordwerk', ...more })
  expect((await from({ call: calls })).toSorted()).toEqual(['rule 1', 'rule 2'])
  expect(await from({ resource: 'alarms', withoutCall: calls })).toEqual(['oven hot'])
  expect(await from({ call: 'alarms.nothing' })).toEqual([])
})

test('a check is started, watched and answered on the page', async () => {
  const query = { organization: 'nordwerk' }
  expect(await as(people.owner).verification({ query })).toMatchObject({
    state: 'never',
    progress: 0,
  })
  await publishRecords(server, record({ id: 'a' }), record({ id: 'b' }))
  const [first, second] = await Promise.all([
    as(people.owner).verify({ query }),
    as(people.owner).verify({ query }),
  ])
  expect([first?.state, second?.state].every((state) => state !== 'never')).toBe(true)
  const done = () => as(people.owner).verification({ query })
  await expect.poll(done).toMatchObject({ state: 'intact', progress: 1, finishedAt: testNow })
  await server.database.pool.query(`update audit.entry set label = 'x' where seq = 2`)
  await as(people.owner).verify({ query })
  await expect.poll(done).toMatchObject({ state: 'broken', fault: { kind: 'changed', seq: 2 } })
})

test('only the first organization checks the chain, which holds the lines of all', async () => {
  const refused = { status: 403, code: 'audit.not_first_organization' }
  for (const [caller, organization] of [
    [people.foreigner, 'acqua'],
    [people.owner, 'nordwerk.service'],
  ] as const) {
    const query = { organization }
    await expect(as(caller).search({ query })).resolves.toBeDefined()
    await expect(as(caller).verify({ query })).rejects.toMatchObject(refused)
    await expect(as(caller).verification({ query })).rejects.toMatchObject(refused)
  }
})
