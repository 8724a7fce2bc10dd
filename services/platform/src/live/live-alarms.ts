import { canAlarmInSight } from '@longreach/authorization/alarm-visibility'
import { can } from '@longreach/authorization/can'
import { canInSight, rightsIn } from '@longreach/authorization/device-visibility'
import type { alarmsContract } from '@longreach/alarms/contract'
import type { Admission } from '@longreach/kit/service'
import type { z } from 'zod'
import type { Device } from '../devices/device.ts'
import type { Subscribe } from './live-messages.ts'
import type { Outbox } from './live-outbox.ts'

/** Change of an alarm, as alarms tells it. */
export type AlarmChange = z.output<typeof alarmsContract.events.alarmsChanged.payload>

/** Interval of frames of one subscription, and most changes in one; with more the reader loads its list again. */
const frameMs = 100
const mostChanges = 200

type Shown = {
  alarm: string
  device: string
  kind: string
  severity: number
  open: boolean
  at: number
}

/**
 * Feed of changed alarms for one subscription: the first change goes at once, then at most ten frames a
 * second. A frame says which alarms changed and never what is in them; the reader asks for that with its
 * own rights.
 */
export function createAlarmFeed(outbox: Outbox, id: number) {
  let changes = new Map<string, Shown>()
  let isMore = false
  let sentAt = 0
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    timer = undefined
    // A slow reader gets one frame for all that has changed when it has read the others.
    if (!outbox.isFree()) return wake()
    sentAt = performance.now()
    outbox.send({
      op: 'alarms',
      id,
      changes: [...changes.values()],
      ...(isMore && { reload: true }),
    })
    changes = new Map()
    isMore = false
  }
  const wake = () => {
    timer ??= setTimeout(flush, Math.max(0, sentAt + frameMs - performance.now()))
  }
  return {
    change({ id: alarm, deviceId, kind, severity, isOpen, at }: AlarmChange) {
      changes.delete(alarm)
      if (changes.size < mostChanges)
        changes.set(alarm, { alarm, device: deviceId, kind, severity, open: isOpen, at })
      else isMore = true
      wake()
    },
    stop: () => clearTimeout(timer),
  }
}
export type AlarmFeed = ReturnType<typeof createAlarmFeed>

/** True when the rights show alarms of the device: the device itself, and alarms in its organization. */
export const seesAlarmsOf = (admission: Admission, device: Device) =>
  canInSight(admission, 'read', device) && can(rightsIn(admission, device.org), 'alarms', 'read')

/** True when the rights show this alarm of the device, whose rule may judge paths that they do not reach. */
export const seesChange = (
  admission: Admission,
  { org, groups }: Device,
  { paths }: Pick<AlarmChange, 'paths'>,
) => canAlarmInSight(admission, { org, groups, paths })

/** True when a subscription is about the device: this one, or all of the organization, with `below` also of those below. */
export const isAbout = (wish: Subscribe, admission: Admission, device: Device) =>
  wish.device === '*'
    ? wish.below || device.org === admission.organization.resourceId
    : wish.device === device.id
