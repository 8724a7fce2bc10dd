import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { texts } from '../texts/part.ts'
import { createCalendarCounts } from './calendar-handlers.ts'
import { schedulesContract } from './contract.ts'
import { scheduleHandlers } from './schedule-handlers.ts'

export const schedules = definePart<NotificationsDeps>()({
  name: 'schedules',
  contract: schedulesContract,
  uses: [texts],
  state: createCalendarCounts,
  handlers: scheduleHandlers,
})
