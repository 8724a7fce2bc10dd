import { core } from '@longreach/core'
import { identityForTests } from '@longreach/core/testing'
import { createSecrets } from '@longreach/kit/secrets'
import { person, type TestServer, testNow, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditContract } from '../contract.ts'
import { clearTrail, publishRecords, nordwerkAdmits, record } from '../records-for-tests.ts'
import { retentionOf, selfAndAbove } from './retention-rules.ts'
import { audit } from '../service.ts'

let server: TestServer
const owner = person('owner', 'nordwerk')
beforeAll(async () => {
  server = await testServer([identityForTests, core, audit], { admit: nordwerkAdmits })
})
afterAll(() => server.close())
beforeEach(() => clearTrail(server))

const as = (who = owner) => server.as(who, auditContract)
const daysAgo = (days: number) => new Date(testNow.getTime() - days * 86_400_000)
const choose = (organization: string, days: number | null, who = owner) =>
  as(who).setRetention({ query: { organization }, body: { days } })
const report = () => server.asService(auditContract).report({})
/** Removal by the job, as at the start of the server. */
const work = async () => (await server.start()).close()
const lines = async () => {
  const { rows } = await server.database.pool.query<{ target: string }>(
    `select target from audit.entry where resource = 'devices' order by seq`,
  )
  return rows.map(({ target }) => target)
}

test.each([
  ['a.b.c', { days: 50, from: 'a.b', own: null }],
  ['a.b', { days: 50, from: 'a.b', own: 50 }],
  ['a', { days: 90, from: 'a', own: 90 }],
  ['a.x', { days: 90, from: 'a', own: null }],
  ['ab', { days: 365, from: null, own: null }],
])('lines of %s are kept as the nearest choice says', (organization, expected) => {
  const choices = new Map([
    ['a', 90],
    ['a.b', 50],
  ])
  expect(retentionOf(organization, choices)).toEqual(expected)
  expect(selfAndAbove('a.b.c')).toEqual(['a.b.c', 'a.b', 'a'])
})

test('a choice counts below, until one is made there', async () => {
  await publishRecords(server, record({ at: daysAgo(3) }))
  const before = await as().retention({ query: { organization: 'nordwerk.press' } })
  expect(before).toMatchObject({ days: 365, own: null, from: null, least: 30, most: 3650 })
  expect(await choose('nordwerk', 90)).toMatchObject({ days: 90, own: 90, oldest: daysAgo(3) })
  const below = await as().retention({ query: { organization: 'nordwerk.press' } })
  expect(below).toMatchObject({ days: 90, own: null, from: 'nordwerk', oldest: null })
  expect(await choose('nordwerk.press', 400)).toMatchObject({ days: 400, own: 400 })
  expect(await choose('nordwerk.press', null)).toMatchObject({ days: 90, own: null })
})

test('a change of the retention stands in the trail', async () => {
  await choose('nordwerk', 90)
  await choose('nordwerk', 45)
  await server.settle()
  const { data } = await as().search({ query: { organization: 'nordwerk' } })
  expect(data).toMatchObject([
    { resource: 'audit', action: 'retention', target: 'nordwerk' },
    { resource: 'audit', action: 'retention' },
  ])
  const query = { organization: 'nordwerk' }
  expect(await as().entry({ params: { id: 2 }, query })).toMatchObject({
    before: { days: 90 },
    after: { days: 45 },
  })
})

test('only who reads the trail and changes organizations sets its retention', async () => {
  for (const sub of ['auditor', 'administrator']) {
    await expect(choose('nordwerk', 90, person(sub, 'nordwerk'))).rejects.toMatchObject({
      status: 403,
      code: 'auth.missing_permission',
    })
  }
  await expect(choose('acqua', 90)).rejects.toMatchObject({ status: 404 })
})

test.each([29, 3651, 90.5, -1])('%d days are refused by name', async (days) => {
  await expect(choose('nordwerk', days)).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'days' }] },
  })
})

test('two who choose at once both get an answer', async () => {
  const both = await Promise.all([choose('nordwerk', 60), choose('nordwerk', 70)])
  expect(both.every(({ own }) => own === 60 || own === 70)).toBe(true)
})

test('lines go after their time, those of others stay, and the chain is intact', async () => {
  await publishRecords(
    server,
    record({ id: 'a', at: daysAgo(80) }),
    record({ id: 'b', at: daysAgo(80), organization: 'nordwerk.press' }),
    record({ id: 'c', at: daysAgo(20) }),
    record({ id: 'd', at: daysAgo(70) }),
    record({ id: 'e', at: daysAgo(400), organization: 'acqua' }),
  )
  await choose('nordwerk', 30)
  await choose('nordwerk.press', 90)
  await work()
  expect(await lines()).toEqual(['b', 'c'])
  await server.settle()
  expect(await report()).toMatchObject({ lines: 4, links: 6, fault: null })
})

test('the beginning of the chain goes when no line is left in it', async () => {
  const old = Array.from({ length: 12 }, (_, n) => record({ id: `d${n}`, at: daysAgo(400) }))
  await publishRecords(server, ...old, record({ id: 'kept' }))
  await work()
  expect(await lines()).toEqual(['kept'])
  expect(await report()).toEqual({ lines: 1, links: 1, fault: null })
  await publishRecords(server, record({ id: 'next' }))
  expect(await report()).toEqual({ lines: 2, links: 2, fault: null })
})

test('a trail whose lines all went goes on', async () => {
  await publishRecords(server, record({ at: daysAgo(400) }))
  await work()
  expect(await report()).toEqual({ lines: 0, links: 0, fault: null })
  await publishRecords(server, record())
  expect(await report()).toEqual({ lines: 1, links: 1, fault: null })
})

test('many lines go in small steps', async () => {
  const old = Array.from({ length: 10_100 }, (_, n) => record({ id: `d${n}`, at: daysAgo(400) }))
  await publishRecords(server, record({ id: 'first' }), ...old)
  await work()
  expect(await lines()).toEqual(['first'])
  expect(await report()).toEqual({ lines: 1, links: 10_101, fault: null })
})

test('a line that was removed before its time is found, whatever the database says', async () => {
  await publishRecords(server, record({ id: 'a', at: daysAgo(60) }), record({ id: 'b' }))
  await server.database.pool.query(`delete from audit.entry where seq = 1;
    insert into audit.retention_checkpoint values ('nordwerk', now(), now(), '\\x00')`)
  expect((await report()).fault).toMatchObject({ kind: 'missing', seq: 1 })
})

test('a retention that was written past the service removes nothing', async () => {
  await publishRecords(server, record({ id: 'a', at: daysAgo(60) }))
  await server.database.pool.query(
    `insert into audit.retention values ('nordwerk', 30, now(), '\\x00')`,
  )
  await work()
  expect(await lines()).toEqual(['a'])
})

test('another installation cannot seal this chain', async () => {
  const { sealsOf } = await import('../chain/seals.ts')
  const other = sealsOf(createSecrets(Buffer.alloc(32, 8)))
  await publishRecords(server, record())
  const { rows } = await server.database.pool.query('select * from audit.chain_head')
  await server.database.pool.query('update audit.chain_head set seal = $1', [other.head(rows[0])])
  expect((await report()).fault).toMatchObject({ kind: 'seal' })
})
