import type { alarmsContract } from '@longreach/alarms/contract'
import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { notificationsContract } from '@longreach/notifications/contract'
import type { TriggersDb } from './database.ts'

export type TriggersDeps = Deps<
  TriggersDb,
  {
    core: typeof coreContract
    mappings: typeof mappingsContract
    alarms: typeof alarmsContract
    notifications: typeof notificationsContract
  }
>
