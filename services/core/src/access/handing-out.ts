import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { membershipsOf } from '../people/user-store.ts'
import { type Handed, mayHandOut, outranks } from './access-rules.ts'
import { findStanding, findStandingOfAnyone } from './access-store.ts'

type Given = Handed & { label: string }

/** Refuse to give somebody a role that the caller does not cover with rights of their own. */
export async function mustHold(deps: Pick<CoreDeps, 'pool'>, ctx: OrgCtx, roles: readonly Given[]) {
  const beyond = await firstBeyond(deps, ctx, roles)
  if (!beyond) return
  throw failure(coreContract, 'beyond_own_rights', {
    role: beyond.label,
    message: `"${beyond.label}" gives rights that you do not have; ask an administrator`,
  })
}

/** May the caller give all of these roles? */
export const holds = async (deps: Pick<CoreDeps, 'pool'>, ctx: OrgCtx, roles: readonly Given[]) =>
  (await firstBeyond(deps, ctx, roles)) === undefined

async function firstBeyond(
  { pool }: Pick<CoreDeps, 'pool'>,
  { caller, organization }: OrgCtx,
  roles: readonly Given[],
) {
  if (roles.length === 0) return undefined
  const own = await findStanding(pool, caller.sub, String(organization.id))
  return roles.find((role) => !own || !mayHandOut(own, role))
}

/** Refuse to change the account of somebody who may do, in any of their organizations, what the caller may not. */
export async function mustOutrank(
  { db, pool }: Pick<CoreDeps, 'db' | 'pool'>,
  { caller }: OrgCtx,
  person: { id: number; sub: string },
) {
  if (person.sub === caller.sub) return
  for (const organization of await membershipsOf(db, person.id)) {
    const own = await findStanding(pool, caller.sub, String(organization))
    const theirs = await findStandingOfAnyone(pool, person.sub, organization)
    // Who cannot even enter there has no say over its people.
    const inside = own && (own.member || own.roles.length > 0)
    if (inside && theirs && outranks(own, theirs)) continue
    throw failure(coreContract, 'beyond_own_rights', {
      message: 'This person has rights that you do not have; ask an administrator',
    })
  }
}

/** Refuse to change who sees which devices for a caller who sees only some of them. */
export function mustBeFree({ capability }: Pick<OrgCtx, 'capability'>) {
  if (capability.policies === undefined) return
  const message = 'You see only some devices yourself; ask an administrator'
  throw failure(coreContract, 'beyond_own_rights', { message })
}
