import { readTable, separatorOf } from '@longreach/kit/table-text'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'
import { csvSheet } from './import-sheet.ts'
import { mappingOf } from './import-table.ts'

let server: TestServer
let seeded: Seeded
let running: { close: () => Promise<void> }
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  running = await server.start()
})
afterAll(async () => {
  await running.close()
  await server.close()
})

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const params = { org: 'nordwerk.service' }
const bring = (csv: string, dryRun: boolean, who: keyof Seeded['people'] = 'administrator') =>
  as(who).importUsers({ params, query: { dryRun }, body: { csv } })
const done = async (id: number) => {
  await expect
    .poll(() => as('administrator').userImport({ params: { ...params, import: id } }), {
      timeout: 60_000,
    })
    .toMatchObject({ finishedAt: expect.any(Date) })
  return as('administrator').userImport({ params: { ...params, import: id } })
}
const sheetOf = async (id: number, who: keyof Seeded['people'] = 'administrator') => {
  const path = `/svc/core/api/v1/organizations/${params.org}/users/imports/${id}/result`
  return server.fetchAs(seeded.people[who])(path)
}

test('a record that goes over several lines is told by its first one', () => {
  const linesOf = (csv: string) => {
    const table = readTable(csv)
    return typeof table === 'string' ? table : table.rows.map(({ line }) => line)
  }
  for (const end of ['\n', '\r\n']) {
    const lines = ['name,note', 'a,"one', 'two', 'three"', 'b,x', '', 'c,"y', 'z"']
    expect(linesOf(lines.join(end))).toEqual([2, 5, 7])
  }
  expect(linesOf('name,note\r\na,"one\ntwo"\r\nb,x\r\n')).toEqual([2, 4])
})

test('the separator is found in the header, quotes and byte order mark aside', () => {
  expect(separatorOf('username;e-mail;name')).toBe(';')
  expect(separatorOf('username\te-mail')).toBe('\t')
  expect(separatorOf('"a;b;c",d')).toBe(',')
  expect(separatorOf('username')).toBe(',')
  expect(readTable('\uFEFFBenutzername;Vorname\r\nida;"Ida;Maria"\r\n\r\n;\r\n')).toEqual({
    separator: ';',
    headers: ['Benutzername', 'Vorname'],
    rows: [{ line: 2, cells: ['ida', 'Ida;Maria'] }],
  })
})

test('columns are known by their names in five languages', () => {
  expect(mappingOf(['Benutzername', 'E-Mail', 'Vorname', 'Nachname', 'Gruppen'])).toEqual({
    username: 'Benutzername',
    email: 'E-Mail',
    firstName: 'Vorname',
    lastName: 'Nachname',
    groups: 'Gruppen',
  })
  expect(mappingOf(['Nom d’utilisateur', 'Prénom', 'Nom'])).toMatchObject({
    username: 'Nom d’utilisateur',
    firstName: 'Prénom',
    lastName: 'Nom',
  })
  expect(mappingOf(['A', 'B'], { username: 'B' })).toEqual({ username: 'B' })
})

test('a dry run says what each line would do, with line, column and the way out', async () => {
  await as('administrator').createUserGroup({ params, body: { name: 'Night shift' } })
  const csv = [
    'username,email,first name,groups,roles',
    'ida,ida@example.org,Ida,Night shift,viewer',
    'bad name,not-a-mail,,Day shift,',
    'vera,,,,',
    'nele,,,,',
    'ida,,,,',
    ',,Nobody,,',
  ].join('\n')
  const plan = await bring(csv, true)
  expect(plan.lines.map(({ line, outcome }) => [line, outcome])).toEqual([
    [2, 'CREATE'],
    [3, 'ERROR'],
    [4, 'PRESENT'],
    // Beside this organization: nothing tells that somebody there has the name.
    [5, 'CREATE'],
    [6, 'ERROR'],
    [7, 'ERROR'],
  ])
  expect(plan.counts).toEqual({ create: 2, join: 0, present: 1, error: 3 })
  const above = await bring('username\nnele\nnobodyhere\n', true, 'owner')
  expect(above.lines.map(({ outcome }) => outcome)).toEqual(['JOIN', 'CREATE'])
  expect(plan.lines[1]!.problems.map(({ column, code }) => [column, code])).toEqual([
    ['username', 'malformed'],
    ['email', 'malformed'],
    ['groups', 'unknown_group'],
  ])
  expect(plan.lines[4]!.problems).toMatchObject([
    { code: 'twice', message: expect.stringContaining('line 2') },
  ])
  expect(plan.lines[5]!.problems).toMatchObject([{ code: 'missing' }])
  expect(plan.importId).toBe(undefined)
  expect(await as('owner').userExists({ params: { name: 'ida' } })).toBe(false)
})

test('an import makes people with groups and roles, and answers links where no mail goes', async () => {
  const csv =
    'username;email;groups;roles\nida;ida@example.org;Night shift;Viewer\nbad name;;;\nnele;;;\n'
  const { importId } = await bring(csv, false)
  expect(await done(importId!)).toMatchObject({ total: 3, done: 3, failed: 1, links: 1 })
  const ida = await as('owner').userByName({ params: { ...params, username: 'ida' } })
  expect(ida).toMatchObject({ email: 'ida@example.org', enabled: true })
  const groups = (await as('owner').userGroups({ params, query: { userId: ida.id } })).content
  expect(groups.map(({ label }) => label)).toContain('Night shift')
  expect(groups.find(({ type }) => type === 'SELF_USER')!.rolesId).toHaveLength(1)
  const answer = await sheetOf(importId!)
  expect(answer.headers.get('content-type')).toContain('text/csv')
  const sheet = (await answer.text()).split('\r\n')
  expect(sheet[1]).toMatch(/^2,ida,MADE,,http:\/\/portal\.test\/link\//)
  expect(sheet[2]).toMatch(/^3,bad name,FAILED,/)
  expect(sheet[3]).toMatch(/^4,nele,INVITED,,$/)
})

test('the same file again changes nothing', async () => {
  const csv = 'username\nida\nnele\n'
  const { importId, counts } = await bring(csv, false)
  expect(counts).toEqual({ create: 1, join: 0, present: 1, error: 0 })
  expect(await done(importId!)).toMatchObject({ done: 2, failed: 0, links: 0 })
})

test('nobody else sees an import or its links [A-05]', async () => {
  const [own] = await as('administrator').userImports({ params })
  expect((await sheetOf(own!.id, 'owner')).status).toBe(404)
  expect((await sheetOf(own!.id, 'foreigner')).status).toBe(404)
  expect((await sheetOf(own!.id, 'viewer')).status).toBe(403)
  expect(await as('owner').userImports({ params })).toEqual([])
  await expect(bring('username\nx', true, 'viewer')).rejects.toMatchObject({ status: 403 })
  await expect(bring('username\nx', true, 'foreigner')).rejects.toMatchObject({ status: 404 })
})

test('a table gives nobody rights that the importer lacks [A-05]', async () => {
  const dealer = await addPerson(server, seeded.people.owner, {
    org: seeded.organizations.service,
    username: 'dealer',
    roles: ['app_dealer'],
  })
  const plan = await server.as(dealer, coreContract).importUsers({
    params,
    query: { dryRun: true },
    body: { csv: 'username,roles\nmallory,Administrator\n' },
  })
  expect(plan.lines[0]).toMatchObject({
    outcome: 'ERROR',
    problems: [{ code: 'beyond_own_rights', column: 'roles' }],
  })
})

test('a file that is no table of people is refused with the way out', async () => {
  const refused = { status: 422, code: 'core.unreadable_table' }
  await expect(bring('', true)).rejects.toMatchObject(refused)
  await expect(bring('a,b\n1,2', true)).rejects.toMatchObject({
    ...refused,
    details: { headers: ['a', 'b'], field: 'csv', fault: 'people_columns' },
  })
  const many = `username\n${Array.from({ length: 5_001 }, (_, n) => `p${n}`).join('\n')}`
  await expect(bring(many, true)).rejects.toMatchObject(refused)
})

test('a sheet runs no formula in a spreadsheet, and comes back as it was (attack 90)', () => {
  const evil = '=HYPERLINK("http://evil.example";"x")'
  const sheet = csvSheet([
    ['username', 'first name'],
    ['+x', evil],
  ])
  expect(sheet).toContain("'+x")
  expect(sheet).not.toMatch(/(^|,|")[=+@-]/m)
  expect(readTable(sheet)).toMatchObject({ rows: [{ cells: ['+x', evil] }] })
})
