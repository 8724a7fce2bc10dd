import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { occurrences } from '../occurrences/part.ts'
import { rules } from '../rules/part.ts'
import { settingsContract } from './contract.ts'
import { cleanupClosedAlarms } from './retention.ts'
import { settingsHandlers } from './settings-handlers.ts'
import { purgeSettings } from './settings-store.ts'

/** Settings of organizations, and the deletion of closed alarms by age. */
export const settings = definePart<AlarmsDeps>()({
  name: 'settings',
  contract: settingsContract,
  uses: [occurrences, rules],
  handlers: settingsHandlers,
  every: { hour: (deps) => cleanupClosedAlarms(deps) },
  consumers: () => [
    on(coreContract.events.organizationPurged, async ({ organizations }, tx: AlarmsDeps['db']) => {
      await purgeSettings(
        tx,
        organizations.map(({ resourceId }) => resourceId),
      )
    }),
  ],
})
