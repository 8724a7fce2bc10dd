import { can } from '@longreach/authorization/can'
import { pathReach, reaches } from '@longreach/authorization/can-path'
import { canInSight, rightsIn } from '@longreach/authorization/device-visibility'
import type { Admission } from '@longreach/authorization/admission'
import type { AnyAction } from '../saving/action-contract.ts'
import { partsOf, permissionOf } from '../saving/action-rules.ts'
import type { Firing } from '../firing-contract.ts'

type Seen = Pick<Firing, 'orgResourceId' | 'groups'> & { inputs: readonly { path: string }[] }

/** True when the owner may read the device, and all paths that the policy looks at. */
export function maySee(admission: Admission, { orgResourceId: org, groups, inputs }: Seen) {
  if (!canInSight(admission, 'read', { org, groups })) return false
  const reach = pathReach(rightsIn(admission, org), 'read', groups)
  return inputs.every(({ path }) => path === 'connection' || reaches(reach, path))
}

/** True when the owner may do what an action does to a device. */
export function mayAct(
  admission: Admission,
  { orgResourceId: org, groups }: Pick<Firing, 'orgResourceId' | 'groups'>,
  action: AnyAction,
) {
  const rights = rightsIn(admission, org)
  if (action.type === 'ATTRIBUTE_ACTION') return canInSight(admission, 'update', { org, groups })
  if (action.type === 'WRITE' && action.deviceId === undefined) {
    return reaches(pathReach(rights, 'write', groups), action.path)
  }
  if (action.type === 'ALARM') return can(rights, ...partsOf(permissionOf.ALARM))
  // Of another device, platform asks for the right there.
  return can(admission.capability, ...partsOf(permissionOf[action.type]))
}
