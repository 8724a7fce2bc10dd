import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const service = { org: 'nordwerk.service' }
const change = (body: object, force = false, who: keyof Seeded['people'] = 'administrator') =>
  as(who).updateOrganization({ params: service, query: { force }, body })
const ask = (who: keyof Seeded['people']) => as(who).organization({ params: service })
const sql = (text: string, values: unknown[] = []) => server.database.pool.query(text, values)

beforeEach(async () => {
  await sql(`update core.organization
    set ip_addresses_whitelist = '{}', second_factor_required = false`)
})

test('private access ends the rights that come from above, and lifting it gives them back [A-05]', async () => {
  await as('owner').createOrganization({
    params: service,
    query: {},
    body: { name: 'inner' },
  })
  const before = await change({ privateAccess: true, allowDisablePrivateAccess: true })
  expect(before).toMatchObject({ privateAccess: true })
  for (const who of ['owner', 'parentInherit'] as const) {
    await expect(ask(who)).rejects.toMatchObject({ status: 404 })
    const inner = as(who).organization({ params: { org: 'nordwerk.service.inner' } })
    await expect(inner).rejects.toMatchObject({ status: 404 })
  }
  const params = { org: 'nordwerk.service.inner' }
  expect(await as('administrator').organization({ params })).toMatchObject({ name: 'inner' })
  expect(await as('owner').organization({ params: { org: 'nordwerk.press' } })).toBeTruthy()
  const lift = () =>
    as('owner').liftPrivateAccess({
      params: { org: 'nordwerk', child: seeded.organizations.service.id },
    })
  await change({ allowDisablePrivateAccess: false })
  await expect(lift()).rejects.toMatchObject({ status: 403, code: 'core.private_access_kept' })
  await change({ allowDisablePrivateAccess: true })
  await lift()
  expect(await ask('owner')).toMatchObject({ privateAccess: false })
  expect(await as('owner').organization({ params })).toMatchObject({ name: 'inner' })
  await expect(lift()).rejects.toMatchObject({ status: 404 })
})

test('the closed door is shown, and nothing behind it [A-05]', async () => {
  await change({ privateAccess: true })
  const list = async (query: object) =>
    (await as('owner').organizations({ params: { org: 'nordwerk' }, query })).content.map(
      ({ resourceId, userCanAccess }) => `${resourceId} ${userCanAccess}`,
    )
  expect(await list({})).toEqual(['nordwerk.press true'])
  expect(await list({ includePrivateAccess: true })).toEqual([
    'nordwerk.press true',
    'nordwerk.service false',
  ])
  const closed = { includePrivateAccess: true, privateAccess: true }
  expect(await list(closed)).toEqual(['nordwerk.service false'])
  expect(await list({ ...closed, privateAccess: false })).toEqual(['nordwerk.press true'])
  const tree = async (query: object) =>
    (await as('owner').tree({ params: { org: 'nordwerk' }, query })).content
  expect(await tree({})).toMatchObject([
    { resourceId: 'nordwerk.press', userCanAccess: true },
    { resourceId: 'nordwerk.service', userCanAccess: false, children: 0, privateAccess: true },
  ])
  expect(await tree({ search: 'inner' })).toEqual([])
  expect(await tree({ at: 'nordwerk.service' })).toEqual([])
  await change({ privateAccess: false })
})

test('nobody closes an organization that has no administrator inside, or themselves out', async () => {
  const press = { params: { org: 'nordwerk.press' }, query: {}, body: { privateAccess: true } }
  await expect(as('owner').updateOrganization(press)).rejects.toMatchObject({
    status: 422,
    code: 'core.locks_you_out',
    details: { field: 'privateAccess' },
  })
  const made = await as('owner').createOrganization({
    params: { org: 'nordwerk' },
    query: {},
    body: { name: 'empty' },
  })
  await expect(
    as('owner').updateOrganization({
      params: { org: made.resourceId },
      query: { force: true },
      body: { privateAccess: true },
    }),
  ).rejects.toMatchObject({ status: 422, code: 'core.needs_administrator' })
})

test('who makes an organization with private access is its first administrator', async () => {
  const made = await as('owner').createOrganization({
    params: { org: 'nordwerk' },
    query: {},
    body: { name: 'closed', privateAccess: true },
  })
  const params = { org: made.resourceId }
  expect(await as('owner').users({ params, query: {} })).toMatchObject({ totalElements: 1 })
  await expect(as('parentInherit').organization({ params })).rejects.toMatchObject({ status: 404 })
  const dealer = await addPerson(server, seeded.people.owner, {
    org: seeded.organizations.nordwerk,
    username: 'dana',
    roles: ['app_dealer'],
  })
  const body = { name: 'closed2', privateAccess: true }
  await expect(
    server
      .as(dealer, coreContract)
      .createOrganization({ params: { org: 'nordwerk' }, query: {}, body }),
  ).rejects.toMatchObject({ status: 403, code: 'core.beyond_own_rights' })
})

test('calls come from allowed addresses only, the nearest organization decides', async () => {
  await as('owner').updateOrganization({
    params: { org: 'nordwerk' },
    query: {},
    body: { ipAddressesWhitelist: ['127.0.0.0/8', '::1'] },
  })
  expect(await ask('viewer')).toMatchObject({ ipAddressesWhitelist: [] })
  await change({ ipAddressesWhitelist: ['203.0.113.7'] }, true)
  await expect(ask('viewer')).rejects.toMatchObject({
    status: 403,
    code: 'auth.address_not_allowed',
  })
  expect(await as('owner').organization({ params: { org: 'nordwerk' } })).toBeTruthy()
})

test('a change that shuts out its own author must be forced', async () => {
  for (const [field, value] of [
    ['ipAddressesWhitelist', ['203.0.113.0/24']],
    ['secondFactorRequired', true],
  ] as const) {
    await expect(change({ [field]: value })).rejects.toMatchObject({
      status: 422,
      code: 'core.locks_you_out',
      details: { field },
    })
  }
  const asked = { params: service, body: { ipAddressesWhitelist: ['203.0.113.0/24'] } }
  const found = await as('administrator').consequences(asked)
  expect(found.map(({ effect }) => effect)).toContain('locks_you_out')
})

test('people need a second factor here and below, once it is asked for', async () => {
  await as('owner').updateOrganization({
    params: { org: 'nordwerk' },
    query: { force: true },
    body: { secondFactorRequired: true },
  })
  await expect(ask('viewer')).rejects.toMatchObject({
    status: 403,
    code: 'auth.second_factor_needed',
  })
  const strong = { ...seeded.people.administrator, secondFactor: true }
  const rules = await server.as(strong, coreContract).accessRules({ params: service })
  expect(rules).toMatchObject({ secondFactorRequired: true, secondFactorFrom: 'nordwerk' })
  const known = await server.asService(coreContract).memberships({
    query: { sub: seeded.people.viewer.sub },
  })
  expect(known).toMatchObject([{ resourceId: 'nordwerk.service', secondFactorRequired: true }])
})

test('those without a second factor are listed for who may read people', async () => {
  await sql('update identity.account set second_factor = true where sub = $1', [
    seeded.people.operator.sub,
  ])
  const { people, total } = await as('administrator').peopleWithoutFactor({ params: service })
  expect(people.map(({ username }) => username)).toEqual(['adam', 'mia', 'vera'])
  expect(total).toBe(3)
  await expect(as('viewer').peopleWithoutFactor({ params: service })).rejects.toMatchObject({
    status: 403,
  })
})

test('what a change would mean is told in numbers and changes nothing [P-02]', async () => {
  const params = { org: 'nordwerk' }
  const body = {
    dataEnabled: false,
    vpnEnabled: false,
    secondFactorRequired: true,
    ipAddressesWhitelist: ['127.0.0.1'],
  }
  const found = await as('owner').consequences({ params, body })
  const count = (effect: string) => found.find((one) => one.effect === effect)?.count
  expect(count('people_lose_iot')).toBeGreaterThanOrEqual(5)
  expect(count('people_lose_vpn')).toBeGreaterThanOrEqual(2)
  expect(count('organizations_lose')).toBeGreaterThanOrEqual(2)
  expect(count('people_without_factor')).toBeGreaterThanOrEqual(6)
  expect(count('people_by_address')).toBeGreaterThanOrEqual(7)
  expect(await as('owner').organization({ params })).toMatchObject({ dataEnabled: true })
  expect(await as('owner').consequences({ params, body: { dataEnabled: true } })).toEqual([])
  const shut = await as('administrator').consequences({
    params: service,
    body: { privateAccess: true },
  })
  expect(shut).toMatchObject([{ effect: 'people_shut_out', names: expect.any(Array) }])
  expect(shut[0]?.count).toBeGreaterThanOrEqual(2)
  await expect(as('viewer').consequences({ params: service, body })).rejects.toMatchObject({
    status: 403,
  })
})
