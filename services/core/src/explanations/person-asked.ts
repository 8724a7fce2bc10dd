import { can } from '@longreach/authorization/can'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findPersonHere } from './people-store.ts'

/** The caller, or somebody else for those who may read people. */
export async function requirePerson(
  db: CoreDeps['db'],
  ctx: OrgCtx,
  user: number | undefined,
  organizationId = ctx.organization.id,
) {
  const found = await findPersonHere(db, organizationId, user ?? ctx.caller.sub)
  const isSelf = user === undefined || found?.sub === ctx.caller.sub
  if (!isSelf && !can(ctx.capability, 'users', 'read')) {
    throw new AppError(403, 'auth.missing_permission', { permission: 'users:read' })
  }
  if (found) return found
  const message = `There is no person ${user ?? ''} in this organization`
  throw failure(coreContract, 'not_found', { message })
}
