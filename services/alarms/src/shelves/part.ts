import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import { mappingsContract } from '@longreach/mappings/contract'
import type { AlarmsDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { occurrences } from '../occurrences/part.ts'
import { rules } from '../rules/part.ts'
import { search } from '../search/part.ts'
import { settings } from '../settings/part.ts'
import { shelvesContract } from './contract.ts'
import { shelfHandlers } from './shelf-handlers.ts'
import { purgeShelves } from './shelf-store.ts'
import { cleanupShelves, endDueShelves, settleShelves } from './shelf-times.ts'

type Tx = AlarmsDeps['db']

/** Alarms set aside until a time, with the reason. */
export const shelves = definePart<AlarmsDeps>()({
  name: 'shelves',
  contract: shelvesContract,
  uses: [devices, occurrences, rules, search, settings],
  handlers: shelfHandlers,
  every: {
    second: endDueShelves,
    // Devices that changed their groups, and whatever a process that ended left.
    minute: (deps) => settleShelves(deps),
    hour: ({ db, now }) => cleanupShelves(db, now()),
  },
  consumers: () => [
    on(coreContract.events.organizationPurged, async ({ organizations }, tx: Tx) => {
      await purgeShelves(tx, { orgs: organizations.map(({ resourceId }) => resourceId) })
    }),
    on(mappingsContract.events.deviceLife, async ({ deviceId, state }, tx: Tx) => {
      if (state === 'purged') await purgeShelves(tx, { devices: [deviceId] })
    }),
    on(mappingsContract.events.deviceMoved, async ({ deviceId }, tx: Tx) => {
      await purgeShelves(tx, { devices: [deviceId] })
    }),
  ],
})
