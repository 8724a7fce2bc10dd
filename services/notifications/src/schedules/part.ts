import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { schedulesContract } from './contract.ts'
import { scheduleHandlers } from './schedule-handlers.ts'

export const schedules = definePart<NotificationsDeps>()({
  name: 'schedules',
  contract: schedulesContract,
  handlers: scheduleHandlers,
})
