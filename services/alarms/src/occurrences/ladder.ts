import type { AlarmsDeps } from '../deps.ts'
import { Edits } from './edits.ts'
import { dueSteps, endSteps, lockDueSteps } from './ladder-store.ts'
import { lockDevices, occurrencesById, writeEdits } from './occurrence-store.ts'

/**
 * Raises the severity of alarms that are active or unacknowledged for as long as their rule says. Due times
 * are rows, so that a restart loses none; one that is overdue is taken at once and bears its due time.
 */
export async function climbLadders({ db, now }: Pick<AlarmsDeps, 'db' | 'now'>) {
  const at = now()
  const due = await dueSteps(db, at)
  if (due.length === 0) return
  const devices = [...new Set(due.map(({ device_id }) => device_id))]
  await db.transaction().execute(async (tx) => {
    await lockDevices(tx, devices)
    // Read behind the lock: somebody may have acknowledged, or another process may have been first.
    const steps = await lockDueSteps(tx, at, devices)
    const edits = new Edits(
      await occurrencesById(tx, [...new Set(steps.map(({ occurrence }) => occurrence))]),
    )
    for (const { occurrence, severity, due_at } of steps) {
      const row = edits.get(occurrence)
      if (!row) continue
      const ladder_severity = Math.max(severity, row.ladder_severity ?? severity)
      // An alarm that is worse already stays as it is.
      if (severity <= row.severity) {
        edits.touch(row, { ladder_severity })
        continue
      }
      const max_severity = Math.max(row.max_severity, severity)
      const cause = { kind: 'ladder', t: due_at.getTime(), heard: at.getTime() } as const
      edits.change(row, { severity, max_severity, ladder_severity }, cause)
    }
    await endSteps(tx, steps)
    const publish = await writeEdits(tx, edits)
    await publish(tx)
  })
}
