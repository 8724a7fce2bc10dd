import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { addPerson, coreAuthorizer, identityForTests, seed } from '@longreach/core/testing'
import type { Caller } from '@longreach/kit/service'
import { testServer } from '@longreach/kit/testing'
import type { Kysely } from 'kysely'
import { dashboardsContract } from './contract.ts'
import type { DashboardsDb } from './database.ts'
import { dashboards } from './service.ts'

export const organization = 'nordwerk.service'
export const query = { organization }

/** Server of dashboards with people of two organizations. */
export async function dashboardsTest() {
  const server = await testServer([identityForTests, core, dashboards], { admit: coreAuthorizer })
  const { people, organizations } = await seed(server)
  const as = (caller: Caller) => server.as(caller, dashboardsContract)
  const admin = as(people.administrator)
  return {
    server,
    people,
    as,
    admin,
    core: (caller: Caller) => server.as(caller, coreContract),
    db: server.database.db.withSchema('dashboards') as unknown as Kysely<DashboardsDb>, // its tables
    addPerson: (username: string, ...roles: string[]) =>
      addPerson(server, people.owner, { org: organizations.service, username, roles }),
    create: (name = 'Oven line') => admin.createDashboard({ query, body: { name } }),
    close: () => server.close(),
  }
}
export type DashboardsTest = Awaited<ReturnType<typeof dashboardsTest>>
