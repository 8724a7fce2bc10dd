import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { CallerCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { insertAcceptances } from '../agreements/agreement-store.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { makeAdministrator, makeOrganization } from '../organizations/organization-making.ts'
import { lockOrganization, type OrganizationRow } from '../organizations/organization-store.ts'
import { makeRealm } from '../organizations/root-making.ts'
import { makePerson } from '../memberships/account-making.ts'
import { claimAccount, releaseClaim } from '../memberships/account-store.ts'
import type { UserRow } from '../directory/user-store.ts'
import { isReserved } from './onboarding-rules.ts'
import { wasResourceIdUsed } from './onboarding-store.ts'

/** Registration that waits for its confirmation. */
export type Content = {
  name: string
  label: string
  username: string
  email: string
  firstName: string
  lastName: string
  passwordHash: string
  agreements: number[]
  ip: string
}

type Making = {
  content: Content
  /** Organization above the new one; undefined: it is a root of its own, with a realm. */
  parent: OrganizationRow | undefined
  ctx: CallerCtx
  emailVerified: boolean
  /** Done first in the transaction; throws to stop everything. */
  first: (tx: Kysely<CoreDb>) => Promise<void>
}

/**
 * Make the organization, its administrator and the proof of what they accepted. Realm and account come
 * first, since a second attempt finds them again; everything of ours then happens in one transaction.
 */
export async function makeRegisteredOrganization(deps: CoreDeps, making: Making) {
  const { content, parent, ctx, emailVerified, first } = making
  const { name, label, username, email, firstName, lastName, passwordHash } = content
  // Held until the organization stands: nobody else makes the realm of this name meanwhile.
  const place = { realm: parent?.resource_id ?? '', username: `/${name}` }
  if (!(await claimAccount(deps.db, place, ctx.now))) {
    const message = 'An organization of this name is being made at this moment; try again shortly'
    throw failure(coreContract, 'busy', { field: 'organization.name', message })
  }
  try {
    await checkNameFree(deps, name, parent)
    if (!parent) await makeRealm(deps, { name, label })
    const who = { username, email, firstName, lastName, passwordHash, emailVerified }
    return await makePerson(deps, {
      realm: parent?.realm ?? name,
      person: { ...who, serviceAccount: false },
      now: ctx.now,
      write: async (tx, user) => {
        await first(tx)
        const held = parent && (await lockOrganization(tx, parent.id))
        if (parent && !held) throw registrationClosed()
        const body = { name, label }
        const fresh = { parent: held ?? null, body, addDefaultRoles: true, now: ctx.now }
        const row = await makeOrganization(tx, fresh)
        await makeAdministrator(tx, row, user)
        await keepProof(tx, { user, content, ctx })
        await recordChange(tx, ctx, {
          resource: 'organizations',
          action: 'register',
          id: row.id,
          label: row.label,
          organization: row.resource_id,
          after: { resourceId: row.resource_id, username, agreements: content.agreements },
        })
        return row
      },
    })
  } finally {
    await releaseClaim(deps.db, place)
  }
}

const keepProof = (
  tx: Kysely<CoreDb>,
  { user, content, ctx }: { user: UserRow; content: Content; ctx: CallerCtx },
) => {
  const { sub, username } = user
  const one = { sub, username, accepted_at: ctx.now, ip: content.ip }
  return insertAcceptances(tx, content.agreements, one)
}

/** Check that a name is free: no organization has or had it, and the installation does not reserve it. */
export async function checkNameFree(
  { db }: Pick<CoreDeps, 'db'>,
  name: string,
  parent: Pick<OrganizationRow, 'resource_id'> | undefined,
) {
  const resourceId = parent ? `${parent.resource_id}.${name}` : name
  const taken = (!parent && isReserved(name)) || (await wasResourceIdUsed(db, resourceId))
  if (!taken) return
  const message = `The name "${name}" is in use or was used before; choose another one`
  throw failure(coreContract, 'name_taken', { field: 'organization.name', message })
}

export const registrationClosed = () =>
  failure(coreContract, 'registration_closed', {
    message: 'Nobody can register here; ask the people who run this installation for an account',
  })
