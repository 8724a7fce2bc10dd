import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { viewsContract } from './contract.ts'
import { viewHandlers } from './view-handlers.ts'
import { purgeViews } from './view-store.ts'

/** Saved views of the lists of alarms. */
export const views = definePart<AlarmsDeps>()({
  name: 'views',
  contract: viewsContract,
  handlers: viewHandlers,
  consumers: () => [
    on(coreContract.events.organizationPurged, async ({ organizations }, tx: AlarmsDeps['db']) => {
      await purgeViews(
        tx,
        organizations.map(({ resourceId }) => resourceId),
      )
    }),
  ],
})
