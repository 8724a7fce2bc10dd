import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testNow, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
let now = testNow
const days = (count: number) => new Date(testNow.getTime() + count * 86_400_000)

beforeAll(async () => {
  const options = { admit: coreAuthorizer, now: () => now }
  server = await testServer([identityForTests, core], options)
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const make = (parent: string, name: string) =>
  as('owner').createOrganization({ params: { org: parent }, query: {}, body: { name } })
const remove = (org: string, cascade = false) =>
  as('owner').deleteOrganization({ params: { org }, query: { cascade } })
const deleted = (org: string, who: keyof Seeded['people'] = 'owner') =>
  as(who).deletedOrganizations({ params: { org }, query: {} })
const restore = (org: string, id: number, who: keyof Seeded['people'] = 'owner') =>
  as(who).restoreOrganization({ params: { org, deleted: id } })
const eventsOf = async (topic: string) =>
  (
    await server.database.pool.query<{ payload: { resourceId: string; organizations: object[] } }>(
      'select payload from bus.event where topic = $1 order by id',
      [topic],
    )
  ).rows.map(({ payload }) => payload)

test('what depends on an organization is counted, and who may not know is refused [C-02]', async () => {
  await make('nordwerk.service', 'north')
  const body = { name: 'Shift' }
  await as('owner').createUserGroup({ params: { org: 'nordwerk.service' }, body })
  const found = await as('owner').dependencies({ params: { org: 'nordwerk.service' } })
  expect(found).toMatchObject({
    organizations: 1,
    named: ['north'],
    devices: 0,
    people: 4,
    accounts: 4,
    keys: 0,
    roles: 0,
    userGroups: 1,
    deviceGroups: 0,
  })
  await expect(
    as('member').dependencies({ params: { org: 'nordwerk.service' } }),
  ).rejects.toMatchObject({ status: 403 })
  await expect(
    as('foreigner').dependencies({ params: { org: 'nordwerk.service' } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('a root stays, and one with others below needs to be told so [C-02]', async () => {
  await expect(remove('nordwerk', true)).rejects.toMatchObject({
    status: 409,
    code: 'core.is_root',
  })
  await expect(remove('nordwerk.service')).rejects.toMatchObject({
    status: 409,
    code: 'core.in_use',
    details: { organizations: 1, people: 4, named: ['north'] },
  })
})

test('a deleted organization is closed to everybody and comes back whole within 30 days [C-02]', async () => {
  const { id } = seeded.organizations.service
  const hosted = { allowHostname: true, hostname: 'service.example.org' }
  await as('owner').updateOrganization({
    params: { org: 'nordwerk.service' },
    query: {},
    body: hosted,
  })
  await remove('nordwerk.service', true)
  for (const org of ['nordwerk.service', 'nordwerk.service.north', String(id)]) {
    await expect(as('owner').organization({ params: { org } })).rejects.toMatchObject({
      status: 404,
    })
  }
  expect(await as('viewer').mine({})).toEqual([])
  await expect(remove('nordwerk.service', true)).rejects.toMatchObject({ status: 404 })
  const again = make('nordwerk', 'service')
  await expect(again).rejects.toMatchObject({ status: 409, code: 'core.name_taken' })
  expect(await deleted('nordwerk')).toMatchObject({
    totalElements: 1,
    content: [
      {
        id,
        resourceId: 'nordwerk.service',
        deletedBy: 'owner',
        deletedAt: testNow,
        purgedAt: days(30),
        organizations: 1,
      },
    ],
  })
  expect(await restore('nordwerk', id)).toEqual({
    resourceId: 'nordwerk.service',
    organizations: 1,
    hostnameLost: false,
  })
  expect(await as('viewer').mine({})).toMatchObject([{ resourceId: 'nordwerk.service' }])
  expect(
    await as('owner').organization({ params: { org: 'nordwerk.service.north' } }),
  ).toMatchObject({ status: 'ACTIVE' })
  const [gone] = await eventsOf('core.organization_deleted')
  expect(gone).toMatchObject({ resourceId: 'nordwerk.service' })
  expect(gone?.organizations).toHaveLength(2)
  expect(await eventsOf('core.organization_restored')).toHaveLength(1)
})

test('a host name that another took meanwhile does not come back', async () => {
  const { id } = seeded.organizations.service
  await remove('nordwerk.service', true)
  await as('owner').updateOrganization({
    params: { org: 'nordwerk.press' },
    query: {},
    body: { allowHostname: true, hostname: 'service.example.org' },
  })
  expect(await restore('nordwerk', id)).toMatchObject({ hostnameLost: true })
  expect(await as('owner').organization({ params: { org: String(id) } })).toMatchObject({
    hostname: null,
    hostnameAllowed: true,
  })
})

test('what was deleted on its own stays deleted when the one above it comes back', async () => {
  const lone = await make('nordwerk.press', 'lone')
  await remove('nordwerk.press.lone')
  await remove('nordwerk.press')
  await expect(restore('nordwerk', lone.id)).rejects.toMatchObject({
    status: 409,
    code: 'core.parent_deleted',
  })
  expect(await restore('nordwerk', seeded.organizations.press.id)).toMatchObject({
    organizations: 0,
  })
  expect(await restore('nordwerk.press', lone.id)).toMatchObject({ organizations: 0 })
})

test('restoring is for those above, once, and only of what was deleted there [C-02] [A-05]', async () => {
  const lone = await make('nordwerk.press', 'once')
  await remove('nordwerk.press.once')
  for (const [who, org, status] of [
    ['foreigner', 'acqua', 404],
    ['foreigner', 'nordwerk', 404],
    ['operator', 'nordwerk.service', 403],
  ] as const) {
    await expect(restore(org, lone.id, who)).rejects.toMatchObject({ status })
  }
  await expect(deleted('nordwerk', 'foreigner')).rejects.toMatchObject({ status: 404 })
  await expect(deleted('nordwerk.service', 'viewer')).rejects.toMatchObject({ status: 403 })
  const both = await Promise.allSettled([
    restore('nordwerk', lone.id),
    restore('nordwerk', lone.id),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(restore('nordwerk', lone.id)).rejects.toMatchObject({ status: 404 })
})

test('an organization made below at the same moment goes too or is refused [C-02]', async () => {
  await make('nordwerk', 'busy')
  const results = await Promise.allSettled([
    remove('nordwerk.busy', true),
    make('nordwerk.busy', 'a'),
    make('nordwerk.busy', 'b'),
  ])
  expect(results[0]).toMatchObject({ status: 'fulfilled' })
  const { rows } = await server.database.pool.query(
    "select 1 from core.organization where resource_id like 'nordwerk.busy%' and status = 'ACTIVE'",
  )
  expect(rows).toEqual([])
})

test('after 30 days everything of it is gone but its name, which nobody gets again [C-02]', async () => {
  const { pool } = server.database
  const { owner } = seeded.people
  const gone = await make('nordwerk', 'gone')
  const below = await make('nordwerk.gone', 'deep')
  const only = await addPerson(server, owner, {
    org: gone,
    username: 'onlyhere',
    roles: ['app_viewer'],
  })
  const params = { org: gone.resourceId }
  await as('owner').createUser({ params, body: { username: 'vera', existing: true } })
  await as('owner').createImportToken({ params })
  await remove('nordwerk.gone', true)
  const running = await server.start()
  const left = async () => {
    const { rows } = await pool.query<{ status: string; label: string }>(
      "select status, label from core.organization where resource_id like 'nordwerk.gone%'",
    )
    return rows
  }
  await running.close()
  expect(await left()).toMatchObject([{ status: 'DELETING' }, { status: 'DELETING' }])
  now = days(30)
  const purging = await server.start()
  await expect.poll(left).toMatchObject([{ status: 'DELETED' }, { status: 'DELETED' }])
  await purging.close()
  const tables = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'core' and column_name = 'organization_id'`,
  )
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(
      `select 1 from core.${name} where organization_id in ($1, $2)`,
      [gone.id, below.id],
    )
    expect([name, rows.length]).toEqual([name, 0])
  }
  const people = await pool.query('select 1 from core.app_user where sub = $1', [only.sub])
  const accounts = await pool.query('select 1 from identity.account where sub = $1', [only.sub])
  expect([people.rows, accounts.rows]).toEqual([[], []])
  expect(await as('viewer').mine({})).toMatchObject([{ resourceId: 'nordwerk.service' }])
  expect(await deleted('nordwerk')).toMatchObject({ totalElements: 0 })
  await expect(make('nordwerk', 'gone')).rejects.toMatchObject({ code: 'core.name_taken' })
  const told = await eventsOf('core.organization_purged')
  expect(told.at(-1)?.organizations).toHaveLength(2)
  now = testNow
})
