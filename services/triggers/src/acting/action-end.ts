import { type Kysely, sql } from 'kysely'
import type { TriggersDb } from '../database.ts'

type Db = Kysely<TriggersDb>
type End = { isDone: boolean; answer: string; ms?: number | null }

const longestAnswer = 4_000

/** Ends an action that waits, and its run when it was the last one; false when it had ended. */
export async function endAction(tx: Db, id: string, { isDone, answer, ms = null }: End) {
  const ended = await tx
    .updateTable('run_action')
    .set({
      state: isDone ? 'DONE' : 'FAILED',
      answer: storedAnswer(answer),
      ms,
      work: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'WAITING')
    .returning('run_id')
    .executeTakeFirst()
  if (!ended) return false
  // Held, so that of two actions that end at once one sees the other.
  await sql`select id from triggers.run where id = ${ended.run_id} for update`.execute(tx)
  await sql`update triggers.run r set done = not f.waits,
      kind = case when f.failed then 'failed' else r.kind end,
      reason = case when f.failed then 'action_failed' else r.reason end
    from (select bool_or(state = 'WAITING') as waits, bool_or(state = 'FAILED') as failed
      from triggers.run_action where run_id = ${ended.run_id}) f
    where r.id = ${ended.run_id}`.execute(tx)
  return true
}

const storedAnswer = (text: string) =>
  text.slice(0, longestAnswer).toWellFormed().replaceAll('\0', '\uFFFD')
