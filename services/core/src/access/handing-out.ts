import { can } from '@longreach/authorization/can'
import { failure } from '@longreach/kit/errors'
import { isAdmitted } from '@longreach/kit/admission-check'
import type { OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { membershipsOf } from '../directory/user-store.ts'
import { givesNothing, type Handed, mayHandOut, outranks } from './access-rules.ts'
import { findStanding, findStandingOfAnyone } from './access-store.ts'

type Given = Handed & { label: string }

/** Refuse to give somebody a role that the caller does not cover with rights of their own. */
export async function checkMayGrant(
  deps: Pick<CoreDeps, 'pool'>,
  ctx: OrgCtx,
  roles: readonly Given[],
) {
  const beyond = await firstBeyond(deps, ctx, roles)
  if (!beyond) return
  throw failure(coreContract, 'beyond_own_rights', {
    role: beyond.label,
    message: `"${beyond.label}" gives rights that you do not have; ask an administrator`,
  })
}

/** May the caller give all of these roles? */
export const mayGrant = async (
  deps: Pick<CoreDeps, 'pool'>,
  ctx: OrgCtx,
  roles: readonly Given[],
) => (await firstBeyond(deps, ctx, roles)) === undefined

async function firstBeyond(
  { pool }: Pick<CoreDeps, 'pool'>,
  { caller, organization }: OrgCtx,
  roles: readonly Given[],
) {
  if (roles.length === 0) return undefined
  const own = await findStanding(pool, caller.sub, String(organization.id))
  return roles.find((role) => !own || !mayHandOut(own, role))
}

type Person = { id: number; sub: string }
type Reaching = Pick<CoreDeps, 'db' | 'pool' | 'admit'>

/** Refuse to change, in the organization of the call, somebody who may do there what the caller may not. */
export async function checkOutranksHere(
  { pool }: Pick<CoreDeps, 'pool'>,
  { caller, organization }: OrgCtx,
  person: Person,
) {
  if (person.sub === caller.sub) return
  if (!(await outranksIn(pool, caller, { person, organization: organization.id }))) throw beyond()
}

/**
 * Refuse to change the account of somebody, which reaches every organization where they may do
 * anything: the caller needs the right to change people in each, and no less than they have there.
 */
export async function checkOutranks(deps: Reaching, ctx: OrgCtx, person: Person) {
  if (person.sub === ctx.caller.sub) return
  await checkOutranksHere(deps, ctx, person)
  for (const organization of await membershipsOf(deps.db, person.id)) {
    if (organization === ctx.organization.id) continue
    if (await isPowerless(deps.pool, person, organization)) continue
    if (!(await administers(deps, ctx, { person, organization }))) throw beyond()
  }
}

/** Refuse to delete somebody out of all their organizations for a caller who may not in one of them. */
export async function checkMayDelete(deps: Reaching, ctx: OrgCtx, person: Person) {
  await checkOutranksHere(deps, ctx, person)
  for (const organization of await membershipsOf(deps.db, person.id)) {
    if (organization === ctx.organization.id) continue
    const asked = { person, organization, action: 'delete' as const }
    if (!(await administers(deps, ctx, asked))) throw beyond()
  }
}

/** Does the caller change people in one of the organizations of this person, and outrank them there? */
export async function administersSomewhere(deps: Reaching, ctx: OrgCtx, person: Person) {
  for (const organization of await membershipsOf(deps.db, person.id)) {
    if (await administers(deps, ctx, { person, organization })) return true
  }
  return false
}

type Asked = { person: Person; organization: number; action?: 'update' | 'delete' }

async function administers(deps: Reaching, ctx: OrgCtx, asked: Asked) {
  const admission = await deps.admit(ctx.caller, String(asked.organization))
  if (!admission || !can(admission.capability, 'users', asked.action ?? 'update')) return false
  if (!isAdmitted(ctx.caller, ctx.ip, admission.organization)) return false
  return outranksIn(deps.pool, ctx.caller, asked)
}

async function outranksIn(
  pool: CoreDeps['pool'],
  caller: OrgCtx['caller'],
  { person, organization }: Pick<Asked, 'person' | 'organization'>,
) {
  const own = await findStanding(pool, caller.sub, String(organization))
  const theirs = await findStandingOfAnyone(pool, person.sub, organization)
  return own !== undefined && theirs !== undefined && outranks(own, theirs)
}

/** Does the membership give no right at all? */
async function isPowerless(pool: CoreDeps['pool'], { sub }: Person, organization: number) {
  const standing = await findStandingOfAnyone(pool, sub, organization)
  return standing !== undefined && givesNothing(standing)
}

const beyond = () =>
  failure(coreContract, 'beyond_own_rights', {
    message: 'This person has rights that you do not have; ask an administrator',
  })

/** Refuse to change who sees which devices for a caller who sees only some of them. */
export function checkUnrestricted({ capability }: Pick<OrgCtx, 'capability'>) {
  if (capability.policies === undefined) return
  const message = 'You see only some devices yourself; ask an administrator'
  throw failure(coreContract, 'beyond_own_rights', { message })
}
