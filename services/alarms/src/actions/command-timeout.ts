import type { AlarmsDeps } from '../deps.ts'
import { lockDevices } from '../occurrences/occurrence-store.ts'
import { actAlone } from './acting-alone.ts'
import { overdueCommands } from './command-store.ts'

/** Time in which a device answers a command, and in which it repeats its alarms after it connected. */
export const answerMs = 10_000

/** Acts alone where devices have not answered for 10 s. */
export async function actAloneOverdue({ db, now }: Pick<AlarmsDeps, 'db' | 'now'>) {
  const at = now()
  const sentBefore = new Date(at.getTime() - answerMs)
  const overdue = await overdueCommands(db, sentBefore)
  if (overdue.length === 0) return
  await db.transaction().execute(async (tx) => {
    await lockDevices(
      tx,
      overdue.map(({ device_id }) => device_id),
    )
    // Read behind the lock: an answer may have come, or another process may have been first.
    const ids = new Set(overdue.map(({ id }) => id))
    const still = (await overdueCommands(tx, sentBefore)).filter(({ id }) => ids.has(id))
    await actAlone(tx, still, { at, reason: 'unanswered' })
  })
}
