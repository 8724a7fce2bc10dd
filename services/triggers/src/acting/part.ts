import { onMany } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import { notificationsContract } from '@longreach/notifications/contract'
import { type Kysely, sql } from 'kysely'
import type { TriggersDb } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { firingsContract } from '../firings/contract.ts'
import { hearFirings } from '../firings/hearing.ts'
import { judgeFirings } from '../firings/judging.ts'
import { act, endIfOver } from './acting.ts'
import { tellOwners } from './owner-notes.ts'
import { writeHandlers } from './write-handlers.ts'

/** Firings are judged, and the actions of their runs are carried out. */
export const acting = definePart<TriggersDeps>()({
  name: 'acting',
  contract: firingsContract,
  handlers: writeHandlers,
  consumers: ({ now }) => [
    hearFirings(now),
    onMany(notificationsContract.events.outgoingEnded, async (ends, tx: Kysely<TriggersDb>) => {
      for (const { messageId: id, isSent, answer, ms } of ends) {
        await tx
          .updateTable('run_action')
          .set({
            ended: sql<number>`ended + 1`,
            failures: sql<number>`failures + ${isSent ? 0 : 1}`,
          })
          .where('id', '=', id)
          .where('state', '=', 'WAITING')
          .execute()
        await endIfOver(tx, id, { answer, ms })
      }
    }),
  ],
  every: {
    second: async (deps) => {
      await judgeFirings(deps)
      await act(deps)
      await tellOwners(deps)
    },
  },
})
