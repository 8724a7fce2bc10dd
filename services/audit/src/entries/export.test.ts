import { core } from '@longreach/core'
import { identityForTests } from '@longreach/core/testing'
import { person, type TestServer, testServer } from '@longreach/kit/testing'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditContract } from '../contract.ts'
import { clearTrail, publishRecords, nordwerkAdmits, record } from '../records-for-tests.ts'
import { audit } from '../service.ts'

let server: TestServer
const auditor = person('auditor', 'nordwerk')
beforeAll(async () => {
  server = await testServer([identityForTests, core, audit], { admit: nordwerkAdmits })
})
afterAll(() => server.close())
beforeEach(() => clearTrail(server))

const file = (query: string) =>
  server.app.inject({
    url: `/svc/audit/api/v1/export?organization=nordwerk.*&${query}`,
    headers: { authorization: `Bearer ${tokenOf(auditor)}` },
  })
const tokenOf = (caller: object) => Buffer.from(JSON.stringify(caller)).toString('base64url')

test('a CSV file has every line asked for, newest first, with before and after', async () => {
  const many = Array.from({ length: 2_345 }, (_, n) => record({ id: `d${n}`, after: { n } }))
  await publishRecords(server, record({ id: 'role', resource: 'roles' }), ...many)
  const { headers, body, statusCode } = await file('resource=devices')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toBe('attachment; filename="audit-2026-01-05.csv"')
  const rows: Record<string, string>[] = parse(body, { columns: true })
  expect(rows.map(({ target }) => target)).toEqual(many.map(({ id }) => id).toReversed())
  expect(rows[0]).toMatchObject({
    time: '2026-01-05T12:00:00.000Z',
    organization: 'nordwerk',
    actor: 'anna',
    ip: '10.0.0.5',
    after: '{"n":2344}',
    before: '',
  })
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n-1'])(
  'the text %j is not run by a spreadsheet (attack 90)',
  async (label) => {
    await publishRecords(server, record({ label, id: label, ip: label, code: label }))
    const [row]: Record<string, string>[] = parse((await file('')).body, { columns: true })
    expect(row).toMatchObject({ label: `'${label}`, target: `'${label}`, ip: `'${label}` })
  },
)

test('quotes, commas and line ends stay in their cell', async () => {
  const label = 'a "b", c\r\nd'
  await publishRecords(server, record({ label }))
  const [row]: Record<string, string>[] = parse((await file('')).body, { columns: true })
  expect(row?.['label']).toBe(label)
})

test('JSON lines hold the whole of each line', async () => {
  await publishRecords(
    server,
    record({ id: 'a', before: { x: 1 } }),
    record({ id: 'b', label: '=1' }),
  )
  const { headers, body } = await file('format=jsonl')
  expect(headers['content-type']).toBe('application/jsonl; charset=utf-8')
  const lines = body.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { target: 'b', label: '=1', before: null },
    { target: 'a', before: { x: 1 }, actor: { username: 'anna', kind: 'user' } },
  ])
})

test('an export with nothing in it has its headings', async () => {
  expect((await file('text=nowhere')).body).toMatch(/^id,time,organization,[^\n]+\r\n$/)
  expect((await file('text=nowhere&format=jsonl')).body).toBe('')
})

test('taking the trail out leaves a line', async () => {
  await file('outcome=refused')
  await server.settle()
  const { data } = await server
    .as(auditor, auditContract)
    .search({ query: { organization: 'nordwerk' } })
  expect(data).toMatchObject([
    { resource: 'audit', action: 'export', call: 'audit.export', actor: { sub: 'auditor' } },
  ])
})

test('an unknown format is named', async () => {
  expect((await file('format=xlsx')).json()).toMatchObject({
    statusCode: 400,
    details: { fields: [{ field: 'format' }] },
  })
})
