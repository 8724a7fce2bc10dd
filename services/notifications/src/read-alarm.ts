import { AppError } from '@longreach/kit/errors'
import type { NotificationsDeps } from './deps.ts'

/** Alarm as it is now; undefined when it is gone. */
export async function readAlarm({ clients }: Pick<NotificationsDeps, 'clients'>, id: string) {
  try {
    return await clients.alarms.alarmForNotifications({ params: { id } })
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}
