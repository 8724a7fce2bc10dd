import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import { insertGroup, insertGroupRoles } from '../groups/group-store.ts'
import { joinOrganization } from '../memberships/account-making.ts'
import type { UserRow } from '../directory/user-store.ts'
import { insertPolicy } from '../policies/policy-store.ts'
import { ownerRoles, readyMadeRoles } from '../roles/ready-made-roles.ts'
import { insertReadyMadeRoles } from '../roles/ready-made-store.ts'
import type { NewOrganization } from './organization-contract.ts'
import { beyondParent, columnsOfChange, mayHaveHostname } from './organization-rules.ts'
import { insertOrganization, type OrganizationRow, setPrivateRoot } from './organization-store.ts'

type Making = {
  parent: OrganizationRow | null
  body: NewOrganization
  addDefaultRoles: boolean
  now: Date
}

/** Make an organization with its groups of everybody and of all devices, and its default roles. */
export async function makeOrganization(tx: Kysely<CoreDb>, making: Making) {
  const { parent, body, addDefaultRoles, now } = making
  checkGranted(parent, body)
  const made = await insertOrganization(tx, {
    data_enabled: parent?.data_enabled ?? true,
    vpn_enabled: parent?.vpn_enabled ?? true,
    ...columnsOfChange(body),
    name: body.name,
    label: body.label ?? body.name,
    parent,
    created_at: now,
    updated_at: now,
  }).catch(refuseHostname)
  if (!made) {
    const message = `The name "${body.name}" is in use or was used before; choose another one`
    throw failure(coreContract, 'name_taken', { field: 'name', message })
  }
  if (made.private_access) await setPrivateRoot(tx, made, true)
  await insertGroup(tx, {
    organization_id: made.id,
    name: '*',
    label: 'All people',
    type: 'ALL_USER',
  })
  await insertPolicy(tx, made.id, { name: '*', type: 'ALL_DEVICES', deviceId: null })
  if (addDefaultRoles) await insertReadyMadeRoles(tx, made.id, readyMadeRoles, now)
  await publish(tx, coreContract.events.permissionsChanged, { resourceId: made.resource_id })
  return made
}

function checkGranted(parent: OrganizationRow | null, body: NewOrganization) {
  const field = beyondParent(body, parent ?? undefined)
  if (field !== undefined) throw beyondParentError(field)
  if (body.hostname && parent && !mayHaveHostname(undefined, body)) throw hostnameNotAllowed()
}

export const beyondParentError = (field: string) =>
  failure(coreContract, 'beyond_parent', {
    field,
    message: `The organization above does not have ${field}; turn it on there first`,
  })

export const hostnameNotAllowed = () =>
  failure(coreContract, 'hostname_not_allowed', {
    field: 'hostname',
    message: 'This organization may not have a host name of its own; allow it first',
  })

/** Make a person a member who administers the organization. */
export async function makeAdministrator(
  tx: Kysely<CoreDb>,
  row: OrganizationRow,
  user: Pick<UserRow, 'id' | 'username' | 'service_account'>,
) {
  const own = await joinOrganization(tx, row.id, user)
  const administrators = await tx
    .selectFrom('role')
    .select('id')
    .where('organization_id', '=', row.id)
    .where('name', 'in', ownerRoles)
    .execute()
  const roles = administrators.map(({ id }) => id)
  if (own) await insertGroupRoles(tx, row.id, own.id, roles)
  await publish(tx, coreContract.events.permissionsChanged, { resourceId: row.resource_id })
}

/** Throws an error for a host name that is in use; throws other errors on. */
export function refuseHostname(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code === '23505' && constraint === 'organization_hostname') {
    const message = 'Another organization has this host name'
    throw failure(coreContract, 'hostname_taken', { field: 'hostname', message })
  }
  throw error
}
