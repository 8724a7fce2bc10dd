import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  await as('owner').createOrganization({
    params: { org: 'nordwerk.press' },
    query: {},
    body: { name: 'hall2' },
  })
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const change = (org: string, body: object) =>
  as('owner').updateOrganization({ params: { org }, query: {}, body })

test('what one has, those below may get: the grants [C-03] [E-01]', async () => {
  const grants = (org: string) => as('owner').grants({ params: { org } })
  expect(await grants('nordwerk')).toEqual({
    allowEnableDealerOnSuborg: true,
    allowEnableHostnameOnSuborg: true,
    allowEnableOwnResourcesOnSuborg: true,
    allowEnableIotOnSuborg: true,
    allowEnableVpnOnSuborg: true,
    allowEnableStoreOnSuborg: true,
    allowEnableIpFilteringOnSuborg: true,
    allowEnablePrivateAccessOnSuborg: true,
  })
  expect(await grants('nordwerk.press')).toMatchObject({
    allowEnableDealerOnSuborg: false,
    allowEnableHostnameOnSuborg: false,
    allowEnableStoreOnSuborg: false,
  })
  for (const field of ['dealer', 'storeEnabled', 'allowHostname']) {
    await expect(change('nordwerk.press.hall2', { [field]: true })).rejects.toMatchObject({
      status: 422,
      code: 'core.beyond_parent',
      details: { field },
    })
  }
  await expect(as('foreigner').grants({ params: { org: 'nordwerk' } })).rejects.toMatchObject({
    status: 404,
  })
})

test('a host name needs to be allowed from above [E-01]', async () => {
  const hostname = 'hall.example.org'
  await expect(change('nordwerk.press.hall2', { hostname })).rejects.toMatchObject({
    status: 422,
    code: 'core.hostname_not_allowed',
    details: { field: 'hostname' },
  })
  const body = { name: 'hosted', hostname }
  const made = as('owner').createOrganization({ params: { org: 'nordwerk' }, query: {}, body })
  await expect(made).rejects.toMatchObject({ code: 'core.hostname_not_allowed' })
  expect(await change('nordwerk', { hostname: 'nordwerk.example.org' })).toMatchObject({
    hostname: 'nordwerk.example.org',
  })
})

test('nobody gives their own organization what comes from above (attack 65) [A-05]', async () => {
  const params = { org: 'nordwerk.service' }
  const own = (body: object) => as('administrator').updateOrganization({ params, query: {}, body })
  await change('nordwerk.service', { dataEnabled: false, vpnEnabled: false })
  for (const field of ['dataEnabled', 'vpnEnabled', 'dealer', 'storeEnabled', 'allowHostname']) {
    await expect(own({ [field]: true, label: 'ours' })).rejects.toMatchObject({
      status: 403,
      code: 'core.beyond_own_rights',
      details: { field },
    })
  }
  const given = { dataEnabled: true, vpnEnabled: true }
  expect(await change('nordwerk.service', given)).toMatchObject({ ...given, label: 'service' })
  // To say again what is so already is no change, and going without is free.
  expect(await own(given)).toMatchObject(given)
  expect(await own({ vpnEnabled: false })).toMatchObject({ vpnEnabled: false })
  await change('nordwerk.service', given)
})

test('what goes off above goes off below, the host name too [P-02] [P-08 in part]', async () => {
  const on = { dealer: true, storeEnabled: true, allowHostname: true }
  await change('nordwerk.press', on)
  await change('nordwerk.press.hall2', { ...on, hostname: 'hall.example.org' })
  // Saying what is so already changes nothing below.
  await change('nordwerk.press', { ...on, label: 'Press' })
  const params = { org: 'nordwerk.press.hall2' }
  expect(await as('owner').organization({ params })).toMatchObject({
    hostname: 'hall.example.org',
    dealer: true,
  })
  await change('nordwerk.press', { dealer: false, storeEnabled: false, allowHostname: false })
  expect(await as('owner').organization({ params })).toMatchObject({
    dealer: false,
    storeEnabled: false,
    hostnameAllowed: false,
    hostname: null,
  })
})

test('realms and the own address [C-03]', async () => {
  const { id } = seeded.organizations.nordwerk
  expect(await as('viewer').mineRealms({})).toEqual([{ id, name: 'nordwerk' }])
  expect(await as('viewer').myIp({})).toEqual(['127.0.0.1'])
  const nobody = server.as(undefined, coreContract)
  await expect(nobody.mineRealms({})).rejects.toMatchObject({ status: 401 })
  await expect(nobody.myIp({})).rejects.toMatchObject({ status: 401 })
})

test('a change stands in the trail with what was before [A-02 in part]', async () => {
  const after = { label: 'Service and parts', vpnOtpRequired: true }
  await change('nordwerk.service', after)
  const { rows } = await server.database.pool.query<{ payload: object }>(
    `select payload from bus.event where topic = 'audit.recorded'
      and payload->>'call' = 'core.updateOrganization' order by id desc limit 1`,
  )
  expect(rows[0]?.payload).toMatchObject({
    resource: 'organizations',
    organization: 'nordwerk.service',
    before: { label: 'service', vpnOtpRequired: false },
    after,
  })
})

test('addresses are checked, and wrong ones named', async () => {
  const wrong = change('nordwerk.service', { ipAddressesWhitelist: ['10.0.0.0/8', 'ten'] })
  await expect(wrong).rejects.toMatchObject({
    status: 400,
    details: { fields: [{ field: 'ipAddressesWhitelist.1' }] },
  })
})

test('an organization sets where its people begin in the portal', async () => {
  const params = { org: 'nordwerk.press' }
  const before = await as('owner').organization({ params })
  expect(before).not.toHaveProperty('startPage')
  const body = { startPage: 'OVERVIEW' as const }
  const changed = await as('owner').updateOrganization({ params, query: {}, body })
  expect(changed.startPage).toBe('OVERVIEW')
  expect((await as('neighbour').organization({ params })).startPage).toBe('OVERVIEW')
  const bad = { params, query: {}, body: { startPage: '/log' } as never }
  await expect(as('owner').updateOrganization(bad)).rejects.toMatchObject({ status: 400 })
  const theirs = { params, query: {}, body }
  await expect(as('viewer').updateOrganization(theirs)).rejects.toMatchObject({ status: 404 })
})
