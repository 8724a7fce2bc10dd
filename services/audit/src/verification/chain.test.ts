import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { canonical } from '../chain/chain.ts'
import { auditContract } from '../contract.ts'
import { clearTrail, publishRecords, record } from '../records-for-tests.ts'
import { audit } from '../service.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer([audit])
})
afterAll(() => server.close())

const lines = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    record({
      id: `d${n}`,
      before: { label: `Oven ${n}` },
      after: { label: `Oven ${n}`, size: n / 3 },
    }),
  )
const head = () => path.join(server.site.dataDir, 'audit-head.json')
const report = () => server.asService(auditContract).report({})
const tamper = (statement: string) => sql.raw(statement).execute(server.database.db)

beforeEach(async () => {
  await clearTrail(server)
  await tamper('alter table audit.entry drop constraint if exists entry_seq_fkey')
  await publishRecords(server, ...lines(20))
})

test('a chain that nobody touched is intact', async () => {
  expect(await report()).toEqual({ lines: 20, links: 20, fault: null })
  await publishRecords(server, ...lines(2_500))
  expect(await report()).toEqual({ lines: 2_520, links: 2_520, fault: null })
})

test('an installation without any line is intact', async () => {
  await tamper('truncate audit.entry, audit.chain_link, audit.chain_head')
  expect(await report()).toEqual({ lines: 0, links: 0, fault: null })
})

const columns = `organization call resource action target label actor_sub actor_username actor_realm
  impersonator_sub impersonator_username ip code`.split(/\s+/)

test.each(columns)('a changed %s is found', async (column) => {
  await tamper(`update audit.entry set ${column} = 'x' where seq = 7`)
  expect((await report()).fault).toMatchObject({ kind: 'changed', seq: 7 })
})

test.each([
  `outcome = 'refused'`,
  'status = 403',
  'count = 2',
  `actor_kind = 'service'`,
  'api_key = 1',
  `at = at - interval '1 millisecond'`,
  `before = '{"label":"Oven 6","x":1}'`,
  'after = null',
  `words = array_to_tsvector(array['hidden'])`,
])('a line with %s is found', async (change) => {
  await tamper(`update audit.entry set ${change} where seq = 7`)
  expect((await report()).fault).toMatchObject({ kind: 'changed', seq: 7 })
})

test.each([
  `at = at - interval '400 days'`,
  `organization = 'x'`,
  `digest = '\\x00'`,
  `hash = '\\x00'`,
])('a link with %s is found', async (change) => {
  await tamper(`update audit.chain_link set ${change} where seq = 7`)
  expect((await report()).fault).toMatchObject({ seq: 7 })
})

test('a removed line is found, with its link and without', async () => {
  await tamper('delete from audit.entry where seq = 7')
  expect((await report()).fault).toMatchObject({ kind: 'missing', seq: 7 })
  await tamper('delete from audit.chain_link where seq = 7')
  expect((await report()).fault).toMatchObject({ kind: 'missing', seq: 7 })
})

test('a removed first line is found', async () => {
  await tamper('delete from audit.entry where seq = 1; delete from audit.chain_link where seq = 1')
  expect((await report()).fault).toMatchObject({ kind: 'missing', seq: 1 })
})

test('a cut tail is found', async () => {
  await tamper(
    'delete from audit.entry where seq > 15; delete from audit.chain_link where seq > 15',
  )
  expect((await report()).fault).toMatchObject({ kind: 'cut', seq: 16 })
})

test('a cut tail with a moved end is found by the seal', async () => {
  await tamper(`delete from audit.entry where seq > 15; delete from audit.chain_link where seq > 15;
    update audit.chain_head set head_seq = 15,
      head_hash = (select hash from audit.chain_link where seq = 15)`)
  expect((await report()).fault).toMatchObject({ kind: 'seal', seq: 15 })
})

test('a removed beginning with a moved base is found by the seal', async () => {
  await tamper(`delete from audit.entry where seq <= 5;
    update audit.chain_head set base_seq = 5,
      base_hash = (select hash from audit.chain_link where seq = 5);
    delete from audit.chain_link where seq <= 5`)
  expect((await report()).fault).toMatchObject({ kind: 'seal' })
})

test('swapped lines are found, also with their links', async () => {
  await tamper(
    'update audit.entry set seq = case seq when 7 then -8 when 8 then -7 end where seq in (7, 8)',
  )
  await tamper('update audit.entry set seq = -seq where seq < 0')
  expect((await report()).fault).toMatchObject({ kind: 'changed', seq: 7 })
  await tamper(
    'update audit.chain_link set seq = case seq when 7 then -8 when 8 then -7 end where seq in (7, 8)',
  )
  await tamper('update audit.chain_link set seq = -seq where seq < 0')
  expect((await report()).fault).toMatchObject({ seq: 7 })
})

test('a line that is put in again elsewhere is found', async () => {
  await tamper('update audit.entry set seq = 21 where seq = 7')
  expect((await report()).fault).toMatchObject({ kind: 'missing', seq: 7 })
  await tamper('update audit.entry set seq = 7 where seq = 21')
  expect((await report()).fault).toBeNull()
})

test('a line without a place in the chain is found', async () => {
  await tamper(`create table audit.copy as table audit.entry;
    update audit.copy set seq = seq + 20; insert into audit.entry table audit.copy;
    drop table audit.copy`)
  expect((await report()).fault).toMatchObject({ kind: 'added', seq: 21 })
})

test('a link behind the end of the chain is found', async () => {
  await tamper(`insert into audit.chain_link select 21, at, organization, digest, hash
    from audit.chain_link where seq = 20`)
  expect((await report()).fault).toMatchObject({ kind: 'added', seq: 21 })
})

test('a chain made anew without the key is found', async () => {
  await tamper(`update audit.chain_head set seal = decode(repeat('00', 32), 'hex')`)
  expect((await report()).fault).toMatchObject({ kind: 'seal' })
  await tamper('delete from audit.chain_head')
  expect((await report()).fault).toMatchObject({ kind: 'added', seq: 1 })
})

test('a database put back to an earlier state is found', async () => {
  const running = await server.start()
  await running.close()
  const kept = JSON.parse(await readFile(head(), 'utf8'))
  expect(kept.head_seq).toBe(20)
  await tamper('create schema copy; create table copy.head as table audit.chain_head')
  await publishRecords(server, ...lines(5))
  await (await server.start()).close()
  await tamper(`delete from audit.entry where seq > 20; delete from audit.chain_link where seq > 20;
    delete from audit.chain_head; insert into audit.chain_head select * from copy.head;
    drop schema copy cascade`)
  expect((await report()).fault).toMatchObject({ kind: 'rolled-back', seq: 21 })
  await publishRecords(server, ...lines(9).toReversed())
  await (await server.start()).close()
  expect((await report()).fault).toMatchObject({ kind: 'rolled-back', seq: 25 })
})

test('what is canonical does not depend on the order of names', () => {
  const date = new Date(0)
  expect(canonical({ b: [2, { d: 1, c: undefined }], a: date })).toBe(
    '{"a":"1970-01-01T00:00:00.000Z","b":[2,{"d":1}]}',
  )
  expect(canonical({ a: { y: 1, x: 2 } })).toBe(canonical({ a: { x: 2, y: 1 } }))
})
