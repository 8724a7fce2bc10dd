import { auditRecorded } from '@longreach/kit/audit-trail'
import { testNow, type TestServer, testServer } from '@longreach/kit/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'
import { readyMadeRoles } from './ready-made-roles.ts'
import { upgradeReadyMadeRoles } from './ready-made-upgrade.ts'

let server: TestServer
let seeded: Seeded
let db: Kysely<CoreDb>
const now = () => testNow
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  db = (server.database.db as unknown as Kysely<CoreDb>).withSchema('core')
})
afterAll(() => server.close())

const params = { org: 'nordwerk.service' }
const owner = () => server.as(seeded.people.owner, coreContract)
const roleNamed = async (name: string) =>
  (await owner().roles({ params, query: { name } })).content[0]!
const namesOf = (role: Awaited<ReturnType<typeof roleNamed>>) =>
  role.applicationPermissions.map(({ name }) => name)
const upgrade = (roles = readyMadeRoles) => upgradeReadyMadeRoles({ db, now }, roles)

/** Takes a resource from all ready-made roles, as an earlier release without it has made them. */
const asBefore = async (resource: string) => {
  await sql`delete from core.role_rule rr using core.role r
    where r.id = rr.role_id and r.owner = 'SYSTEM' and rr.resource = ${resource}`.execute(db)
  await sql`update core.role set version = null where owner = 'SYSTEM'`.execute(db)
}

const entriesOfUpgrade = async () => {
  const { rows } = await sql<{ payload: { organization: string; label: string; call: string } }>`
    select payload from bus.event where topic = ${auditRecorded.topic}
      and payload->>'call' = 'core.upgradeRoles' order by id`.execute(db)
  return rows.map(({ payload }) => `${payload.organization}: ${payload.label}`)
}

test('a permission of a new release reaches the owners of existing organizations, with an audit entry', async () => {
  await owner().createRole({
    params,
    body: { name: 'own', label: 'Own', rules: [{ resource: 'devices', actions: ['read'] }] },
  })
  const own = await roleNamed('own')
  await asBefore('triggers')
  expect(namesOf(await roleNamed('app_owner'))).not.toContain('iam.triggers.create')

  const changed = await upgrade()

  const role = await roleNamed('app_owner')
  expect(namesOf(role)).toContain('iam.triggers.create')
  expect(await roleNamed('own')).toEqual(own)
  const entries = await entriesOfUpgrade()
  expect(entries).toContain('nordwerk.service: Owner')
  expect(entries).toContain('acqua.pumps: Owner')
  expect(entries).not.toContain('nordwerk.service: Own')
  expect(entries).toHaveLength(changed)
})

test('roles that are up to date are neither changed nor recorded, also without a version', async () => {
  await upgrade()
  const [role, entries] = [await roleNamed('app_viewer'), await entriesOfUpgrade()]
  await sql`update core.role set version = null where owner = 'SYSTEM'`.execute(db)
  expect(await upgrade()).toBe(0)
  expect(await roleNamed('app_viewer')).toEqual(role)
  expect(await entriesOfUpgrade()).toEqual(entries)
  const { rows } =
    await sql`select from core.role where owner = 'SYSTEM' and version is null`.execute(db)
  expect(rows).toEqual([])
})

test('two processes that start together upgrade each role once', async () => {
  await upgrade()
  const before = (await entriesOfUpgrade()).length
  await asBefore('audit')
  const [one, other] = await Promise.all([upgrade(), upgrade()])
  const entries = (await entriesOfUpgrade()).slice(before)
  expect(entries).toHaveLength(one + other)
  expect(new Set(entries).size).toBe(entries.length)
})

test('a new ready-made role is added where ready-made roles are, and leaves an own one of its name', async () => {
  const planner = {
    name: 'app_planner',
    label: 'Planner',
    description: 'Plans maintenance',
    type: 'APPLICATION' as const,
    inherit: false,
    rules: [
      {
        resource: 'devices' as const,
        actions: ['read' as const],
        deviceGroup: null,
        vpnName: null,
      },
    ],
  }
  await owner().createRole({ params, body: { name: planner.name, label: 'Our planner' } })
  const bare = await owner().createOrganization({
    params: { org: 'nordwerk' },
    query: { addDefaultRoles: false },
    body: { name: 'bare', label: 'Bare' },
  })

  await upgrade([...readyMadeRoles, planner])

  expect(await roleNamed('app_planner')).toMatchObject({
    label: 'Our planner',
    owner: 'ORGANIZATION',
  })
  const elsewhere = await owner().roles({
    params: { org: 'nordwerk.press' },
    query: { name: planner.name },
  })
  expect(elsewhere.content).toMatchObject([{ label: 'Planner', owner: 'SYSTEM' }])
  const none = await owner().roles({ params: { org: String(bare.id) }, query: {} })
  expect(none.content).toEqual([])
  expect(await upgrade([...readyMadeRoles, planner])).toBe(0)
})

test('a right is there at the next request after the upgrade', async () => {
  await upgrade()
  await asBefore('usergroups')
  await expect(owner().userGroups({ params, query: {} })).rejects.toMatchObject({ status: 403 })
  await upgrade()
  await expect(owner().userGroups({ params, query: {} })).resolves.toBeDefined()
})
