import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { hasAdministrator } from './consequence-store.ts'
import { lockoutOf } from './lockout.ts'
import type { OrganizationChange } from './organization-contract.ts'
import { beyondParentError, hostnameNotAllowed, refuseHostname } from './organization-making.ts'
import {
  beyondParent,
  changedFields,
  columnsOfChange,
  losesHostname,
  mayHaveHostname,
  columnsOffBelow,
  valuesOf,
} from './organization-rules.ts'
import {
  findOrganization,
  lockOrganization,
  type OrganizationRow,
  setPrivateRoot,
  switchOffBelow,
  updateOrganization,
} from './organization-store.ts'

type Executor = Kysely<CoreDb>
type Changing = { change: OrganizationChange; ctx: OrgCtx; force: boolean }

/** Change what an organization is and has, with what follows from it below. */
export async function changeOrganization(tx: Executor, { change: asked, ctx, force }: Changing) {
  const { id, resourceId } = ctx.organization
  const row = await lockOrganization(tx, id)
  if (!row) throw failure(coreContract, 'not_found', { message: 'No such organization' })
  const fields = changedFields(row, asked)
  const change: OrganizationChange = Object.fromEntries(
    fields.map((field) => [field, asked[field]]),
  )
  await checkOrganizationChange(tx, row, change)
  if (!force) await checkStaysIn(tx, row, { change, ctx })
  const updated = await applyOrganizationChange(tx, row, { change, now: ctx.now })
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
  const what = { resource: 'organizations', action: 'update', id, label: updated.label }
  await recordChange(tx, ctx, { ...what, before: valuesOf(row, fields), after: change })
  return updated
}

async function checkOrganizationChange(
  tx: Executor,
  row: OrganizationRow,
  change: OrganizationChange,
) {
  const parent = row.parent === null ? undefined : await findOrganization(tx, row.parent)
  const field = beyondParent(change, parent)
  if (field !== undefined) throw beyondParentError(field)
  if (change.hostname && !mayHaveHostname(row, change)) throw hostnameNotAllowed()
  if (change.privateAccess === true && !(await hasAdministrator(tx, row.id))) {
    const message = `Nobody in ${row.label} may administer it; make one of its people administrator first`
    throw failure(coreContract, 'needs_administrator', { field: 'privateAccess', message })
  }
}

type Staying = { change: OrganizationChange; ctx: OrgCtx }
async function checkStaysIn(
  tx: Executor,
  row: OrganizationRow,
  { change, ctx: { caller, ip } }: Staying,
) {
  const field = await lockoutOf(tx, { row, change, caller, ip })
  if (field === undefined) return
  const message =
    'You could not enter the organization any more; say so with force=true if you mean it'
  throw failure(coreContract, 'locks_you_out', { field, message })
}

type Applying = { change: OrganizationChange; now: Date }
async function applyOrganizationChange(
  tx: Executor,
  row: OrganizationRow,
  { change, now }: Applying,
) {
  const facts = {
    ...columnsOfChange(change),
    ...(losesHostname(row, change) && { hostname: null }),
    updated_at: now,
  }
  const updated = await updateOrganization(tx, row.id, facts).catch(refuseHostname)
  for (const { column } of columnsOffBelow(row, change)) {
    const also = column === 'hostname_allowed' ? { hostname: null } : {}
    await switchOffBelow(tx, row.id, { [column]: false, ...also })
  }
  if (change.privateAccess !== undefined) await setPrivateRoot(tx, row, change.privateAccess)
  return updated
}
