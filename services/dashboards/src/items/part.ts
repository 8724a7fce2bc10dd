import { coreContract } from '@longreach/core/contract'
import { on } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import { type Kysely, sql } from 'kysely'
import type { DashboardsDb } from '../database.ts'
import type { DashboardsDeps } from '../deps.ts'
import { cleanupTexts } from '../document-store.ts'
import { drafts } from '../drafts/part.ts'
import { itemsContract } from './contract.ts'
import { itemHandlers } from './item-handlers.ts'
import { cleanupTrash } from './item-store.ts'

/** Dashboards: lists, facts, documents, and the trash. */
export const items = definePart<DashboardsDeps>()({
  name: 'items',
  contract: itemsContract,
  uses: [drafts],
  handlers: (deps) => itemHandlers(deps),
  every: {
    hour: async ({ db, now }) => {
      await cleanupTrash(db, now())
      await cleanupTexts(db)
    },
  },
  consumers: () => [
    on(
      coreContract.events.organizationPurged,
      async ({ organizations }, tx: Kysely<DashboardsDb>) => {
        const names = organizations.map(({ resourceId }) => resourceId)
        await tx
          .deleteFrom('item')
          .where(sql<boolean>`org = any(${names}::text[])`)
          .execute()
      },
    ),
  ],
})
