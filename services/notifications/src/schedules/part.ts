import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'

/** On-call schedules. */
export const schedules = definePart<NotificationsDeps>()({
  name: 'schedules',
})
