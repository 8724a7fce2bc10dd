import type { alarmsContract } from '@longreach/alarms/contract'
import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { NotificationsDb } from './database.ts'

export type NotificationsDeps = Deps<
  NotificationsDb,
  { core: typeof coreContract; alarms: typeof alarmsContract }
>
