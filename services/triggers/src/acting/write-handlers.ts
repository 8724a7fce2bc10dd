import type { Handlers } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { RunActionRow, TriggersDb } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import type { actingContract } from './contract.ts'
import { endAction } from './action-end.ts'
import { openWork } from '../firings/action-work.ts'
import type { Kysely } from 'kysely'

/** Time in ms in which a write that was taken has to end. */
const answerMs = 30_000

/** Writes as platform takes them. */
export const writeHandlers = ({
  db,
  now,
  secrets,
}: TriggersDeps): Handlers<typeof actingContract> => ({
  takeWrites: ({ params: { deviceId } }) =>
    db.transaction().execute(async (tx) => {
      const taken = await take(tx, deviceId, now())
      const writes = []
      for (const row of taken) {
        const { action, cause } = openWork(secrets, row.id, row.work ?? Buffer.alloc(0))
        if (action.type !== 'WRITE') continue
        const run = await runWithOwner(tx, row.run_id)
        const { id: runId, trigger_id: triggerId, device_id: fired, chain } = run
        const link = {
          runId,
          triggerId,
          deviceId: fired,
          name: run.trigger_name,
          path: action.path,
        }
        await tx
          .insertInto('written_path')
          .values({
            device_id: deviceId,
            path: action.path,
            chain: JSON.stringify([...chain, { ...link, at: now().getTime() }]),
            at: now(),
          })
          .execute()
        writes.push({
          id: row.id,
          path: action.path,
          value: action.value ?? cause?.value ?? null,
          organization: run.org,
          owner: { sub: run.owner, username: run.owner_name, realm: run.owner_realm },
        })
      }
      return { writes }
    }),

  endWrite: async ({ params: { id }, body: { isWritten, answer, ms } }) => {
    await db.transaction().execute((tx) => endAction(tx, id, { isDone: isWritten, answer, ms }))
  },
})

async function take(tx: Kysely<TriggersDb>, deviceId: string, now: Date) {
  const { rows } = await sql<RunActionRow>`
    update triggers.run_action set handed = true, due_at = ${new Date(now.getTime() + answerMs)}
    where id in (select id from triggers.run_action
      where device_id = ${deviceId} and state = 'WAITING' and not handed and due_at > ${now}
      order by due_at, id limit 100 for update skip locked)
    returning *`.execute(tx)
  return rows
}

const runWithOwner = (tx: Kysely<TriggersDb>, id: string) =>
  tx
    .selectFrom('run')
    .innerJoin('trigger', 'trigger.id', 'run.trigger_id')
    .selectAll('run')
    .select(['trigger.owner', 'trigger.owner_realm'])
    .where('run.id', '=', id)
    .executeTakeFirstOrThrow()
