import type { Admission } from '@longreach/authorization/admission'
import { isEmpty } from '@longreach/authorization/capability'
import { compile } from '@longreach/authorization/compile'
import { limitedTo } from '@longreach/authorization/limit'
import type { Permission } from '@longreach/authorization/permissions'
import { permissionsOf } from '@longreach/authorization/to-permissions'
import type { Standing } from '../access/access-store.ts'
import type { CoreDeps } from '../deps.ts'
import { mayKeyHold } from './api-key-rules.ts'
import { findKey, stepsDown } from './api-key-store.ts'

type KeyLimits = {
  /** The organization that is asked for, by its number or resourceId. */
  reference: string
  /** Below the key's own organization only what reaches down from there counts. */
  steps: number
  permissions: Permission[]
}

/** Limits of a valid key of this owner in an organization; undefined: the key may not be used there. */
export async function limitsOfKey(
  { db, now }: Pick<CoreDeps, 'db' | 'now'>,
  { id, sub, reference }: { id: number; sub: string; reference: string | undefined },
): Promise<KeyLimits | undefined> {
  const key = await findKey(db, id)
  if (!key || key.sub !== sub || key.expires_at <= now()) return undefined
  const asked = reference ?? String(key.organization_id)
  const steps = await stepsDown(db, key.organization_id, asked)
  if (steps === undefined) return undefined
  const permissions = (key.permissions as Permission[]).filter(mayKeyHold)
  return { reference: asked, steps, permissions }
}

/** The owner as a key may act for them: with roles from the key's own organization or above. */
export const asKeyOwner = (standing: Standing, { steps }: KeyLimits): Standing => ({
  ...standing,
  member: standing.member && steps === 0,
  roles: standing.roles.filter(({ distance }) => distance >= steps),
})

export const limitToKey = (admission: Admission, { permissions }: KeyLimits) =>
  limitedTo(admission, permissions)

const capabilityOf = ({ roles, policies, data_enabled }: Standing) =>
  compile({ organization: { dataEnabled: data_enabled }, roles, policies })

/** Has the person a part in the organization: as a member, or through a role from above? */
export const isParticipant = (standing: Standing | undefined): standing is Standing =>
  standing !== undefined && (standing.member || !isEmpty(capabilityOf(standing)))

/** Permissions that a key of this person can have. */
export const rightsOf = (standing: Standing | undefined) =>
  standing ? permissionsOf(capabilityOf(standing)).filter(mayKeyHold) : []
