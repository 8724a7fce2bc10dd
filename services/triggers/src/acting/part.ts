import { onMany } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import { startRounds } from '@longreach/kit/rounds'
import { notificationsContract } from '@longreach/notifications/contract'
import { type Kysely, sql } from 'kysely'
import type { TriggersDb } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { firings } from '../firings/part.ts'
import { act, endIfOver } from './acting.ts'
import { actingContract } from './contract.ts'
import { tellOwners } from './owner-notes.ts'
import { saving } from '../saving/part.ts'
import { writeHandlers } from './write-handlers.ts'

/** Actions of runs are carried out, and owners told of triggers that were stopped. */
export const acting = definePart<TriggersDeps>()({
  name: 'acting',
  contract: actingContract,
  uses: [saving, firings],
  handlers: writeHandlers,
  consumers: () => [
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
  start: (deps) => {
    const rounds = startRounds(
      'second',
      async () => {
        await act(deps)
        await tellOwners(deps)
      },
      (error) => deps.log.error(error, 'actions of triggers could not be carried out'),
    )
    deps.used.firings.judged.take(rounds.soon)
    return rounds
  },
})
