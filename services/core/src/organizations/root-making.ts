import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { makePerson } from '../memberships/account-making.ts'
import type { NewPerson } from '../directory/person-contract.ts'
import type { UserRow } from '../directory/user-store.ts'
import type { NewOrganization } from './organization-contract.ts'
import { makeAdministrator, makeOrganization } from './organization-making.ts'

type Root = {
  organization: NewOrganization
  owner: NewPerson
  now: Date
  /** Done in the same transaction before anything is made; throws to stop everything. */
  first?: (tx: Kysely<CoreDb>) => Promise<void>
}

/**
 * Make a root organization, its realm and its owner. Realm and account come first, since a second
 * attempt finds them again; everything of ours then happens in one transaction.
 */
export async function makeRoot(deps: CoreDeps, { organization, owner, now, first }: Root) {
  await makeRealm(deps, organization)
  const write = async (tx: Kysely<CoreDb>, user: UserRow) => {
    await first?.(tx)
    const making = { parent: null, body: organization, addDefaultRoles: true, now }
    const row = await makeOrganization(tx, making)
    await makeAdministrator(tx, row, user)
    return { row, user }
  }
  const person = { ...owner, serviceAccount: false }
  return makePerson(deps, { realm: organization.name, person, now, write })
}

export const makeRealm = ({ clients }: CoreDeps, { name, label }: NewOrganization) =>
  clients.identity.createRealm({ body: { name, label: label ?? name } })
