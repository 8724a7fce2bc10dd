import { isOpenBelow } from '@longreach/authorization/admission'
import { canAlarmInSight } from '@longreach/authorization/alarm-visibility'
import { can } from '@longreach/authorization/can'
import { pathReach, reaches } from '@longreach/authorization/can-path'
import { canInSight, rightsIn } from '@longreach/authorization/device-visibility'
import type { Admission } from '@longreach/kit/service'
import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'

type Placed = { alarm_org: string; groups: number[] }

/** Rights of the reader of a delivery, as they are now. */
export type Reader = {
  mayRead: (alarm: Placed) => boolean
  mayReadPath: (alarm: Placed, path: string) => boolean
  /** On a device of which the reader may read some paths alone: alarms of rules that judge these paths alone. */
  mayReadAlarm: (alarm: Placed & { paths: readonly string[] | null }) => boolean
}

type Deps = Pick<NotificationsDeps, 'admit' | 'clients'>
type Asked = Pick<DeliveryRow, 'recipient' | 'recipient_name' | 'realm' | 'outside' | 'org'>

/** Reader of a delivery; undefined for somebody who may no longer enter the organization. */
export async function readerOf(deps: Deps, asked: Asked): Promise<Reader | undefined> {
  if (asked.outside) return outsideReader(deps, asked.org)
  const { recipient: sub, recipient_name: username, realm } = asked
  const admission = await deps.admit({ kind: 'user', sub, username, realm }, asked.org)
  return admission && readerWith(admission)
}

/** Reader with the rights of a person: devices that they may read, and their alarms. */
const readerWith = (admission: Admission): Reader => ({
  mayRead: ({ alarm_org: org, groups }) =>
    can(rightsIn(admission, org), 'alarms', 'read') &&
    canInSight(admission, 'read', { org, groups }),
  mayReadAlarm: ({ alarm_org: org, groups, paths }) =>
    canAlarmInSight(admission, { org, groups, paths }),
  mayReadPath: ({ alarm_org: org, groups }, path) =>
    reaches(pathReach(rightsIn(admission, org), 'read', groups), path),
})

/** Channels and addresses outside get what is in the organization, and below it without private access between. */
async function outsideReader({ clients }: Deps, org: string): Promise<Reader | undefined> {
  const body = { organization: org, people: [], groups: [] }
  const { organization } = await clients.core.recipients({ body })
  if (!organization) return undefined
  const { closed } = organization
  const isIn = ({ alarm_org: of }: Placed) =>
    of === org || isOpenBelow({ organization: { resourceId: org }, closed }, of)
  return { mayRead: isIn, mayReadPath: isIn, mayReadAlarm: isIn }
}
