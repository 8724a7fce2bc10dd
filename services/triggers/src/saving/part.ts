import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import { type Kysely, sql } from 'kysely'
import type { TriggersDb } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { blockedHandlers } from './blocked-handlers.ts'
import { savingContract } from './contract.ts'
import { triggerHandlers } from './trigger-handlers.ts'

/** Triggers as people save them. */
export const saving = definePart<TriggersDeps>()({
  name: 'saving',
  contract: savingContract,
  handlers: (deps) => ({ ...triggerHandlers(deps), ...blockedHandlers(deps) }),
  consumers: () => [
    on(
      coreContract.events.organizationPurged,
      async ({ organizations }, tx: Kysely<TriggersDb>) => {
        const names = organizations.map(({ resourceId }) => resourceId)
        for (const table of ['trigger', 'run', 'blocked_actions'] as const) {
          await tx
            .deleteFrom(table)
            .where(sql<boolean>`org = any(${names}::text[])`)
            .execute()
        }
        await tx
          .deleteFrom('run')
          .where(sql<boolean>`device_org = any(${names}::text[])`)
          .execute()
      },
    ),
  ],
})
