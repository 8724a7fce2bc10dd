import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, root, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const anybody = () => server.as(undefined, coreContract)
const names = (rows: { resourceId: string }[]) => rows.map(({ resourceId }) => resourceId)

test('the host name tells the realm; a hint helps; otherwise the portal asks [C-01] [E-01]', async () => {
  const params = { org: 'nordwerk.service' }
  await as('owner').updateOrganization({
    params,
    query: {},
    body: { allowHostname: true, hostname: 'Service.Example.org' },
  })
  const info = (hostname: string, realm?: string) =>
    anybody().loginInfo({ query: { hostname, ...(realm !== undefined && { realm }) } })
  expect(await info('service.example.org:8080')).toMatchObject({ realmName: 'nordwerk' })
  expect(await info('localhost', 'acqua')).toMatchObject({ realmName: 'acqua' })
  for (const hint of [undefined, 'nowhere', 'nordwerk.service']) {
    await expect(info('localhost', hint)).rejects.toMatchObject({
      status: 404,
      code: 'core.no_such_host',
      details: { hostname: 'localhost' },
    })
  }
})

test('the only root needs no host name', async () => {
  const alone = await testServer([identityForTests, core], { admit: coreAuthorizer })
  const ask = () => alone.as(undefined, coreContract).loginInfo({ query: { hostname: 'any' } })
  await expect(ask()).rejects.toMatchObject({ code: 'core.no_such_host' })
  await root(alone, 'nordwerk')
  expect(await ask()).toMatchObject({ realmName: 'nordwerk' })
  await alone.close()
})

test('mine tells the roles held there, also those handed down from above [C-03]', async () => {
  const own = async (who: keyof Seeded['people']) =>
    (await as(who).mine({})).map(({ resourceId, roles }) => [resourceId, roles])
  expect(await own('member')).toEqual([['nordwerk.service', []]])
  expect(await own('operator')).toEqual([['nordwerk.service', ['Operator']]])
  const join = (who: 'parentInherit' | 'parentPlain') =>
    server.database.pool.query(
      `insert into core.membership (user_id, organization_id)
      select id, $2 from core.app_user where sub = $1`,
      [seeded.people[who].sub, seeded.organizations.service.id],
    )
  await join('parentInherit')
  await join('parentPlain')
  expect(await own('parentInherit')).toEqual([
    ['nordwerk', ['Service engineer']],
    ['nordwerk.service', ['Service engineer']],
  ])
  expect(await own('parentPlain')).toEqual([
    ['nordwerk', ['Operator']],
    ['nordwerk.service', []],
  ])
  const { parentInherit } = seeded.people
  const close = (on: boolean) =>
    as('administrator').updateOrganization({
      params: { org: 'nordwerk.service' },
      query: { force: true },
      body: { privateAccess: on },
    })
  await close(true)
  expect(await server.as(parentInherit, coreContract).mine({})).toMatchObject([
    { roles: ['Service engineer'] },
    { roles: [] },
  ])
  await close(false)
  await server.database.pool.query(
    `delete from core.membership m using core.app_user u
    where u.id = m.user_id and u.sub = any($1) and m.organization_id = $2`,
    [[parentInherit.sub, seeded.people.parentPlain.sub], seeded.organizations.service.id],
  )
})

test('mine is a bare array of memberships with every field [C-03] [E-01]', async () => {
  const [only, ...more] = await as('viewer').mine({})
  expect(more).toEqual([])
  expect(only).toEqual({
    id: seeded.organizations.service.id,
    name: 'service',
    label: 'service',
    status: 'ACTIVE',
    resourceId: 'nordwerk.service',
    realmName: 'nordwerk',
    privateAccess: false,
    allowDisablePrivateAccess: true,
    hostname: 'service.example.org',
    hostnameAllowed: true,
    dataEnabled: true,
    vpnEnabled: true,
    vpnPairingMode: 'CC2',
    vpnOtpRequired: false,
    ipAddressesWhitelist: [],
    secondFactorRequired: false,
    userCanAccess: true,
    storeEnabled: false,
    dealer: false,
    hasOwnResources: true,
    selected: false,
    roles: ['Viewer'],
  })
  await expect(anybody().mine({})).rejects.toMatchObject({ status: 401 })
})

test('a sub-organization is made with default roles, or without [C-02] [P-02]', async () => {
  const params = { org: String(seeded.organizations.nordwerk.id) }
  const body = { name: 'ovens', label: 'Ovens of Nordwerk', vpnEnabled: false }
  const made = await as('owner').createOrganization({
    params,
    query: { addDefaultRoles: true, waitLicenseManager: true },
    body,
  })
  expect(made).toMatchObject({ ...body, resourceId: 'nordwerk.ovens', dataEnabled: true })
  const inside = { params: { org: made.resourceId } }
  for (const type of ['APPLICATION', 'DEVICE'] as const) {
    const query = { page: 0, pageSize: 500, type, owner: 'SYSTEM,ORGANIZATION' }
    const { content } = await as('owner').roles({ ...inside, query })
    expect(content.filter(({ label }) => label.includes('Administrator'))).toHaveLength(1)
  }
  const bare = { params, query: { addDefaultRoles: 'false' as const }, body: { name: 'bare' } }
  const { resourceId } = await as('owner').createOrganization(bare)
  const { content } = await as('owner').roles({ params: { org: resourceId }, query: {} })
  expect(content).toEqual([])
})

test('names are checked, and a name is given once, however many ask at once [C-02]', async () => {
  const make = (name: string) =>
    as('owner').createOrganization({ params: { org: 'nordwerk' }, query: {}, body: { name } })
  for (const bad of ['', 'A', 'a.b', '-a', 'a b', 'ä', 'a'.repeat(64)]) {
    await expect(make(bad)).rejects.toMatchObject({
      status: 400,
      details: { fields: [{ field: 'name' }] },
    })
  }
  const results = await Promise.allSettled([make('twin'), make('twin'), make('twin')])
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(2)
  expect(refused[0]).toMatchObject({ reason: { status: 409, code: 'core.name_taken' } })
})

test('the tree is walked level by level, searched, and only where one may enter [C-02] [A-05]', async () => {
  const org = 'nordwerk'
  await as('owner').createOrganization({
    params: { org: 'nordwerk.press' },
    query: {},
    body: { name: 'hall2', label: 'Hall Two' },
  })
  const list = async (who: keyof Seeded['people'], query: object = {}) =>
    names((await as(who).organizations({ params: { org }, query })).content)
  expect(await list('owner')).toContain('nordwerk.press.hall2')
  expect(await list('owner', { onlyFirstLevel: true })).not.toContain('nordwerk.press.hall2')
  expect(await list('owner', { search: 'hall t' })).toEqual(['nordwerk.press.hall2'])
  expect(await list('owner', { name: 'press' })).toEqual(['nordwerk.press'])
  expect(await list('parentPlain')).toEqual([])
  const page = await as('owner').organizations({
    params: { org },
    query: { page: 1, pageSize: 1, orderDir: 'desc' },
  })
  expect(page).toMatchObject({ number: 1, size: 1, first: false, totalElements: 6 })
})

test('flags come down from above and cannot go beyond it [P-02]', async () => {
  const params = { org: 'nordwerk.press' }
  await as('owner').updateOrganization({ params, query: {}, body: { dataEnabled: false } })
  const child = { params: { org: 'nordwerk.press.hall2' } }
  expect(await as('owner').organization(child)).toMatchObject({ dataEnabled: false })
  await expect(
    as('owner').updateOrganization({ ...child, query: {}, body: { dataEnabled: true } }),
  ).rejects.toMatchObject({
    status: 422,
    code: 'core.beyond_parent',
    details: { field: 'dataEnabled' },
  })
  await as('owner').updateOrganization({ params, query: {}, body: { dataEnabled: true } })
})

test('a host name belongs to one organization', async () => {
  const taken = { allowHostname: true, hostname: 'service.example.org' }
  await expect(
    as('owner').updateOrganization({ params: { org: 'nordwerk.press' }, query: {}, body: taken }),
  ).rejects.toMatchObject({ status: 409, details: { field: 'hostname' } })
})

test('others neither see nor change it [A-05]', async () => {
  const params = { org: 'nordwerk.service' }
  const body = { label: 'mine now' }
  for (const who of ['foreigner', 'neighbour', 'parentPlain'] as const) {
    await expect(as(who).organization({ params })).rejects.toMatchObject({ status: 404 })
    await expect(as(who).updateOrganization({ params, query: {}, body })).rejects.toMatchObject({
      status: 404,
    })
    await expect(as(who).deleteOrganization({ params, query: {} })).rejects.toMatchObject({
      status: 404,
    })
  }
  await expect(as('viewer').updateOrganization({ params, query: {}, body })).rejects.toMatchObject({
    status: 403,
  })
  expect(await as('parentInherit').organization({ params })).toMatchObject({ name: 'service' })
})
