import { can } from '@longreach/authorization/can'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { person, type TestServer, testServer } from '@longreach/kit/testing'
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

const admission = (sub: string, organization?: string) =>
  server.asService(coreContract).admission({
    query: { sub, ...(organization !== undefined && { organization }) },
  })
const refused = { status: 404, code: 'core.not_found' }

test('a member comes in by number, by resourceId, and without saying where [P-01]', async () => {
  const { operator } = seeded.people
  const { id } = seeded.organizations.service
  const byName = await admission(operator.sub, 'nordwerk.service')
  expect(byName.organization).toMatchObject({
    id,
    realm: 'nordwerk',
    resourceId: 'nordwerk.service',
  })
  expect(await admission(operator.sub, String(id))).toEqual(byName)
  expect(await admission(operator.sub)).toEqual(byName)
  expect(can(byName.capability as never, 'devices', 'update')).toBe(true)
  expect(byName.below).toBe(false)
})

test('a member without any role comes in and may do nothing [A-05]', async () => {
  const { capability, below } = await admission(seeded.people.member.sub, 'nordwerk.service')
  expect({ capability, below }).toEqual({
    capability: { grants: {}, deviceGroups: [] },
    below: false,
  })
})

test('from above comes in who holds a role that reaches down, and nobody else [A-05]', async () => {
  const { owner, parentInherit, parentPlain, neighbour, foreigner } = seeded.people
  for (const sub of [owner.sub, parentInherit.sub]) {
    expect((await admission(sub, 'nordwerk.service')).below).toBe(true)
  }
  for (const sub of [parentPlain.sub, neighbour.sub, foreigner.sub]) {
    await expect(admission(sub, 'nordwerk.service')).rejects.toMatchObject(refused)
  }
})

test('rights never reach up the tree [A-05]', async () => {
  const { administrator } = seeded.people
  await expect(admission(administrator.sub, 'nordwerk')).rejects.toMatchObject(refused)
})

test('unknown people and organizations are not found', async () => {
  const { owner } = seeded.people
  for (const [sub, organization] of [
    ['anna', 'nordwerk'],
    [crypto.randomUUID(), 'nordwerk'],
    [owner.sub, 'nordwerk.nothing'],
    [owner.sub, '999999'],
    [owner.sub, '99999999999999999999'],
  ] as const) {
    await expect(admission(sub, organization)).rejects.toMatchObject(refused)
  }
})

test('who belongs to several organizations must say which [P-01]', async () => {
  const { owner } = seeded.people
  const { nordwerk, press } = seeded.organizations
  const two = await addPerson(server, owner, { org: nordwerk, username: 'two', roles: [] })
  await server.as(owner, coreContract).createUser({
    params: { org: press.resourceId },
    body: { username: 'two', existing: true },
  })
  await expect(admission(two.sub)).rejects.toMatchObject(refused)
  const mine = await server.as(two, coreContract).mine({})
  expect(mine.map((one) => one.resourceId)).toEqual(['nordwerk', 'nordwerk.press'])
})

test('an organization without IoT loses models, dashboards, notifications and alarms [T-05] [P-02]', async () => {
  const { owner } = seeded.people
  const asOwner = server.as(owner, coreContract)
  const before = await admission(owner.sub, 'nordwerk.press')
  expect(before.capability.grants['alarms']).toBeGreaterThan(0)
  const params = { org: 'nordwerk.press' }
  await asOwner.updateOrganization({ params, query: {}, body: { dataEnabled: false } })
  const after = await admission(owner.sub, 'nordwerk.press')
  expect(after.organization.dataEnabled).toBe(false)
  for (const resource of ['models', 'dashboards', 'notifications', 'alarms']) {
    expect(after.capability.grants[resource]).toBeUndefined()
  }
  expect(after.capability.grants['devices']).toBe(before.capability.grants['devices'])
  await asOwner.updateOrganization({ params, query: {}, body: { dataEnabled: true } })
})

test('a ticket holds the scopes of one organization, and none for strangers [A-01] [E-22]', async () => {
  const { viewer, foreigner } = seeded.people
  const house = server.asService(coreContract)
  const organization = 'nordwerk.service'
  const held = (sub: string, ...organizations: string[]) =>
    house.ticketPermissions({ body: { sub, organizations } })
  const [ticket] = await held(viewer.sub, organization)
  expect(ticket).toMatchObject({ rsname: organization })
  expect(ticket?.scopes).toContain('iam.devices.read')
  expect(ticket?.scopes).toContain('iam.portal.access')
  expect(ticket?.scopes).not.toContain('iam.devices.update')
  expect(ticket?.roles).toEqual(['app_viewer'])
  expect(await held(foreigner.sub, organization)).toEqual([])
  // Many in one question, in the order of the question, without those that are not the person's.
  const many = ['nordwerk.press', 'acqua', 'nordwerk', 'nordwerk.nowhere', organization]
  const of = (await held(seeded.people.owner.sub, ...many)).map(({ rsname }) => rsname)
  expect(of).toEqual(['nordwerk.press', 'nordwerk', organization])
})

test('scopes may be asked for memberships and for what is reached from above [P-01]', async () => {
  const house = server.asService(coreContract)
  const names = async (sub: string) =>
    (await house.memberships({ query: { sub } })).map(({ resourceId }) => resourceId)
  const { owner, parentPlain, viewer } = seeded.people
  expect(await names(owner.sub)).toEqual(['nordwerk', 'nordwerk.press', 'nordwerk.service'])
  expect(await names(parentPlain.sub)).toEqual(['nordwerk'])
  expect(await names(viewer.sub)).toEqual(['nordwerk.service'])
  expect(await names('anna')).toEqual([])
})

test('owners of root organizations are known to the house alone', async () => {
  const { owners } = await server.asService(coreContract).roots({})
  expect(owners).toEqual([
    { sub: seeded.people.foreigner.sub, username: 'owner', realm: 'acqua' },
    { sub: seeded.people.owner.sub, username: 'owner', realm: 'nordwerk' },
  ])
  const asPerson = server.as(person(seeded.people.owner.sub, 'nordwerk'), coreContract)
  await expect(asPerson.roots({})).rejects.toMatchObject({ status: 403 })
})
