import { type TestServer, testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { addPerson, coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'
import type { Impact } from './impact-contract.ts'

let server: TestServer
let seeded: Seeded
let role: number
let group: number
const users: Record<string, number> = {}
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  const made = await as('owner').createRole({
    params,
    body: { name: 'keeper', label: 'Keeper', rules: [onDevices('read', 'update'), alarms] },
  })
  role = made.id
  const { owner } = seeded.people
  const { service } = seeded.organizations
  for (const username of ['ken', 'kim', 'kit']) {
    await addPerson(server, owner, { org: service, username, roles: ['keeper'] })
  }
  // Kit reads devices by another role too.
  await addPerson(server, owner, { org: service, username: 'kay', roles: ['keeper', 'app_viewer'] })
  const people = await server.database.pool.query<{ id: number; username: string }>(
    `select id, username from core.app_user where realm = 'nordwerk'`,
  )
  for (const { username, id } of people.rows) users[username] = id
  const staff = await as('owner').createUserGroup({
    params,
    body: { name: 'Staff', regularUserMembersId: [users['ken']!], rolesId: [role] },
  })
  group = staff.id
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const params = { org: 'nordwerk.service' }
const onDevices = (...actions: ('read' | 'update')[]) => ({ resource: 'devices' as const, actions })
const alarms = { resource: 'alarms' as const, actions: ['ack' as const] }
const ofRole = () => ({ params: { ...params, role } })
const told = ({ people }: Impact) =>
  Object.fromEntries(
    people.map(({ user, lost, gained }) => [
      user.username,
      {
        lost: lost.map(({ permission }) => permission),
        gained: gained.map(({ permission }) => permission),
      },
    ]),
  )

test('a change of a role says who loses and gains what, before it is made [E-05]', async () => {
  const impact = await as('owner').roleImpact({
    ...ofRole(),
    body: { rules: [alarms, { resource: 'models', actions: ['read'] }] },
  })
  const all = { lost: ['devices:read', 'devices:update'], gained: ['models:read'] }
  expect(told(impact)).toEqual({
    ken: all,
    kim: all,
    kit: all,
    // Keeps what another role gives.
    kay: { lost: ['devices:update'], gained: [] },
  })
  expect(impact.totals).toEqual({
    people: 4,
    permissions: 10,
    losing: { people: 4, permissions: 7 },
    gaining: { people: 3, permissions: 3 },
  })
  expect((await as('owner').role(ofRole())).rules).toHaveLength(2)
})

test('deleting, disabling and reaching down are changes too [E-05]', async () => {
  const gone = await as('owner').roleImpact({ ...ofRole(), body: { deleted: true } })
  expect(told(gone)['kim']?.lost).toEqual(['alarms:ack', 'devices:read', 'devices:update'])
  const off = await as('owner').roleImpact({ ...ofRole(), body: { enabled: false } })
  expect(off.totals).toEqual(gone.totals)
  const down = await as('owner').roleImpact({ ...ofRole(), body: { inherit: true } })
  expect(down.people[0]?.gained.every(({ below }) => below)).toBe(true)
  expect(down.totals.losing.people).toBe(0)
  const nothing = await as('owner').roleImpact({ ...ofRole(), body: {} })
  expect(nothing).toMatchObject({ people: [], totals: { people: 0, permissions: 0 } })
})

test('a limit to model paths takes the rest away, and is told path by path [E-05] [A-03 in part]', async () => {
  const device = await as('owner').createRole({
    params,
    body: { name: 'dev', label: 'Dev', type: 'DEVICE', rules: [onDevices('read', 'update')] },
  })
  const [owner, service] = [seeded.people.owner, seeded.organizations.service]
  await addPerson(server, owner, { org: service, username: 'dev', roles: ['dev'] })
  const impact = await as('owner').roleImpact({
    params: { ...params, role: device.id },
    body: { modelPathPermissions: [{ modelPath: 'Oven:1/**', read: true }] },
  })
  expect(told(impact)).toEqual({
    dev: { lost: ['devices:read', 'devices:update'], gained: [] },
  })
  const paths = await as('owner').modelPaths({ params, query: {} })
  expect(paths.content).toEqual([])
})

test('a change of a group counts only what nobody else gives [E-05]', async () => {
  const impact = (body: object) =>
    as('owner').groupImpact({ params: { ...params, group }, body: body })
  // Ken has the role by his own group too.
  expect((await impact({ rolesToRemove: [role] })).totals.people).toBe(0)
  const joined = await impact({ membersToAdd: [users['mia']!] })
  expect(told(joined)).toEqual({
    mia: { lost: [], gained: ['alarms:ack', 'devices:read', 'devices:update'] },
  })
  expect((await impact({ deleted: true })).totals.people).toBe(0)
  await expect(impact({ rolesToAdd: [role, 999_999] })).rejects.toMatchObject({ status: 404 })
  await expect(impact({ membersToAdd: [users['mia'], 999_999] })).rejects.toMatchObject({
    status: 404,
  })
})

test('a change of one person counts groups and roles together [E-05]', async () => {
  const impact = (user: string, body: object) =>
    as('owner').userImpact({ params: { ...params, user: users[user]! }, body: body })
  const given = await impact('mia', { groupsToAdd: [group], rolesToAdd: [role] })
  expect(told(given)['mia']?.gained).toHaveLength(3)
  const taken = await impact('ken', { rolesToRemove: [role] })
  expect(told(taken)['ken']?.lost).toHaveLength(3)
  const left = await impact('kay', { deleted: true })
  expect(told(left)['kay']?.lost).toContain('portal:access')
  await expect(impact('kay', { groupsToRemove: [group, 999_999] })).rejects.toMatchObject({
    status: 404,
  })
})

test('who changes nothing asks nothing; strangers find nobody [E-05]', async () => {
  const body = { deleted: true }
  await expect(as('viewer').roleImpact({ ...ofRole(), body })).rejects.toMatchObject({
    status: 403,
  })
  const strange = { params: { org: 'acqua', role }, body }
  await expect(as('foreigner').roleImpact(strange)).rejects.toMatchObject({ status: 404 })
  const person = { params: { org: 'acqua', user: users['kim']! }, body }
  await expect(as('foreigner').userImpact(person)).rejects.toMatchObject({ status: 404 })
  const people = { params: { org: 'acqua', group }, body }
  await expect(as('foreigner').groupImpact(people)).rejects.toMatchObject({ status: 404 })
})

test('of many people a hundred are named and all are counted [E-05]', async () => {
  const { pool } = server.database
  await pool.query(`
    with made as (
      insert into core.app_user (sub, realm, username, email, first_name, last_name, service_account, created_at)
      select gen_random_uuid(), 'nordwerk', 'crowd-' || lpad(n::text, 4, '0'), '', '', '', false, now()
      from generate_series(1, 1000) n returning id),
    joined as (
      insert into core.membership (user_id, organization_id)
      select id, ${seeded.organizations.service.id} from made returning user_id)
    select count(*) from joined`)
  await pool.query(
    `insert into core.group_member (organization_id, group_id, user_id, role)
     select $1, $2, id, 'USER' from core.app_user where username like 'crowd-%'`,
    [seeded.organizations.service.id, group],
  )
  const impact = await as('owner').roleImpact({ ...ofRole(), body: { deleted: true } })
  expect(impact.people).toHaveLength(100)
  expect(impact.people[0]?.user.username).toBe('crowd-0001')
  expect(impact.totals.losing).toEqual({ people: 1004, permissions: 1003 * 3 + 2 })
})

test('the permissions after a change of groups and roles are told as names [C-10] [E-05]', async () => {
  const check = (body: object) => as('member').testApplicationPermissions({ params, body: body })
  expect(await check({})).toEqual([])
  const names = ['iam.devices.read', 'iam.devices.update', 'iam.alarms.ack']
  expect(await check({ rolesToAdd: [role] })).toEqual(names)
  expect(await check({ groupsToAdd: [group] })).toEqual(names)
  expect(await check({ rolesToAdd: [role], revokedOnly: true })).toEqual([])
  const ken = { userId: users['ken']!, rolesToRemove: [role], revokedOnly: true }
  expect(await as('administrator').testApplicationPermissions({ params, body: ken })).toEqual(names)
  await expect(check(ken)).rejects.toMatchObject({ status: 403 })
  await expect(check({ rolesToAdd: [role, 999_999] })).rejects.toMatchObject({ status: 404 })
  const strange = { params: { org: 'acqua' }, body: { rolesToAdd: [role] } }
  await expect(as('foreigner').testApplicationPermissions(strange)).rejects.toMatchObject({
    status: 404,
  })
})
