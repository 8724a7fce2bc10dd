import { alarmsContract } from '@longreach/alarms/contract'
import { coreContract } from '@longreach/core/contract'
import { defineService } from '@longreach/kit/service'
import { mappingsContract } from '@longreach/mappings/contract'
import { notificationsContract } from '@longreach/notifications/contract'
import { acting } from './acting/part.ts'
import { triggersContract } from './contract.ts'
import { counters } from './counters/part.ts'
import { firings } from './firings/part.ts'
import { runs } from './runs/part.ts'
import { saving } from './saving/part.ts'

/** Triggers: what is done when values of devices fulfil a policy, and what became of it. */
export const triggers = defineService({
  contract: triggersContract,
  needs: {
    core: coreContract,
    mappings: mappingsContract,
    alarms: alarmsContract,
    notifications: notificationsContract,
  },
  migrations: new URL('./migrations/', import.meta.url),
  parts: [saving, counters, runs, firings, acting],
})
