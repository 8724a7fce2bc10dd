import { can } from '@longreach/authorization/can'
import { canInSight, rightsIn } from '@longreach/authorization/device-visibility'
import { failure } from '@longreach/kit/errors'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import { chainOf } from '../rules/rule-sight.ts'

type Deps = Pick<AlarmsDeps, 'clients' | 'admit'>
type Place = { org: string; groups: number[] }

/** True for a person of the organization, or of one above it, who may read the device and its alarms. */
export async function mayBeAssigned(deps: Deps, name: string, { org, groups }: Place) {
  for (const organization of chainOf(org)) {
    const body = { organization, people: [name], groups: [] }
    const { people } = await deps.clients.core.recipients({ body })
    for (const { sub, username, realm } of people) {
      const admission = await deps.admit({ kind: 'user', sub, username, realm }, organization)
      if (!admission) continue
      const mayRead = can(rightsIn(admission, org), 'alarms', 'read')
      if (mayRead && canInSight(admission, 'read', { org, groups })) return true
    }
  }
  return false
}

export const assigneeUnknown = (name: string) =>
  failure(alarmsContract, 'assignee_unknown', {
    message: `There is no ${name} who may read this device. Take a person of this organization or one above.`,
    field: 'assignee',
  })
