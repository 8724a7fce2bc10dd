import { can } from '@longreach/authorization/can'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { OrganizationChange } from './organization-contract.ts'
import { firstTurnedOn } from './organization-rules.ts'
import { findOrganization } from './organization-store.ts'

type Asked = Pick<CoreDeps, 'db' | 'admit'>

/** Refuse to turn on what the organization above gives, unless the caller may change that one too. */
export async function checkGivenFromAbove(
  { db, admit }: Asked,
  change: OrganizationChange,
  { caller, organization }: OrgCtx,
) {
  const row = await findOrganization(db, organization.id)
  const field = row && firstTurnedOn(row, change)
  if (!row?.parent || field === undefined) return
  const parent = await findOrganization(db, row.parent)
  const above = parent && (await admit(caller, parent.resource_id))
  if (above && can(above.capability, 'organizations', 'update')) return
  const message = 'The organization above gives this; ask somebody who administers it'
  throw failure(coreContract, 'beyond_own_rights', { field, message })
}
