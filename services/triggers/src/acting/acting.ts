import { AppError } from '@longreach/kit/errors'
import { sql } from 'kysely'
import type { RunActionRow } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { endAction } from './action-end.ts'
import { openWork, type Work } from '../firings/action-work.ts'
import { performAction } from './perform.ts'

/** Actions under way at a time, and the time for which one is reserved (ms). */
const atOnce = 50
const leaseMs = 60_000
/** Attempts to reach the service that carries an action out. */
const mostTries = 8

/** Carries out actions that are due, until none is. */
export async function act(deps: TriggersDeps) {
  await expireWrites(deps)
  for (;;) {
    const claimed = await claim(deps)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((one) => actOnce(deps, one)))
  }
}

/** Actions that are due, reserved for a while; writes are taken by platform. */
async function claim({ db, now }: TriggersDeps) {
  const { rows } = await sql<RunActionRow>`
    update triggers.run_action set tries = tries + 1, due_at = ${new Date(now().getTime() + leaseMs)}
    where id in (select id from triggers.run_action
      where state = 'WAITING' and type <> 'WRITE' and not handed and due_at <= ${now()}
      order by due_at limit ${atOnce} for update skip locked)
    returning *`.execute(db)
  return rows
}

async function actOnce(deps: TriggersDeps, row: RunActionRow) {
  const { db, now, log, secrets } = deps
  const begun = performance.now()
  try {
    if (!row.work) throw new Error('an action that waits has nothing to do')
    const run = await db
      .selectFrom('run')
      .innerJoin('trigger', 'trigger.id', 'run.trigger_id')
      .selectAll('run')
      .select(['trigger.realm', 'trigger.data'])
      .where('run.id', '=', row.run_id)
      .executeTakeFirst()
    if (!run) return
    const work: Work = openWork(secrets, row.id, row.work)
    const done = await performAction(deps, { id: row.id, run, work })
    const ms = Math.round(performance.now() - begun)
    await db.transaction().execute(async (tx) => {
      if ('handed' in done) await noteHanded(tx, row.id, done.handed)
      else await endAction(tx, row.id, { isDone: true, answer: done.answer, ms })
    })
  } catch (error) {
    const isRefused = error instanceof AppError && error.status >= 400 && error.status < 500
    const answer = error instanceof AppError ? messageOf(error) : 'The service did not answer.'
    if (isRefused || row.tries >= mostTries) {
      await db.transaction().execute((tx) => endAction(tx, row.id, { isDone: false, answer }))
      return
    }
    log.warn({ err: error, action: row.id }, 'an action of a trigger is tried again')
    const due_at = new Date(now().getTime() + 1_000 * 2 ** row.tries)
    await db.updateTable('run_action').set({ due_at }).where('id', '=', row.id).execute()
  }
}

const messageOf = ({ code, details }: AppError) =>
  typeof details['message'] === 'string' ? details['message'] : code

type Handed = { deliveries: { id: string; isOver: boolean }[]; request: string }
type Tx = Parameters<typeof endAction>[0]

/** Notes deliveries that carry an action; their ends may have been told already. */
async function noteHanded(tx: Tx, id: string, { deliveries, request }: Handed) {
  const over = deliveries.filter(({ isOver }) => isOver).length
  await tx
    .updateTable('run_action')
    .set({
      handed: true,
      request,
      delivery_id: deliveries[0]?.id ?? null,
      deliveries: deliveries.length,
      ended: sql<number>`ended + ${over}`,
      failures: sql<number>`failures + ${over}`,
    })
    .where('id', '=', id)
    .where('handed', '=', false)
    .execute()
  await endIfOver(tx, id, { answer: 'No message was sent; the list of deliveries says why.' })
}

/** Ends an action when all its deliveries have ended. */
export async function endIfOver(
  tx: Tx,
  id: string,
  { answer, ms = null }: { answer: string; ms?: number | null },
) {
  const row = await tx
    .selectFrom('run_action')
    .select(['handed', 'deliveries', 'ended', 'failures'])
    .where('id', '=', id)
    .where('state', '=', 'WAITING')
    .forUpdate()
    .executeTakeFirst()
  if (!row?.handed || row.ended < row.deliveries) return
  await endAction(tx, id, { isDone: row.failures === 0, answer, ms })
}

/** Writes that no device took in time; of one that was taken it is not known whether it was written. */
async function expireWrites({ db, now }: TriggersDeps) {
  const due = await db
    .selectFrom('run_action')
    .select(['id', 'handed'])
    .where('state', '=', 'WAITING')
    .where('type', '=', 'WRITE')
    .where('due_at', '<=', now())
    .limit(500)
    .execute()
  for (const { id, handed } of due) {
    const answer = handed
      ? 'The device did not answer in time; the value may have been written.'
      : 'The device is not connected; nothing was written.'
    await db.transaction().execute((tx) => endAction(tx, id, { isDone: false, answer }))
  }
}
