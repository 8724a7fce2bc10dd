import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { Judged } from '../devices/device.ts'

type Db = Kysely<ServiceDb>

/** Time for which it is said that late values were not judged. */
const keptMs = 30 * 86_400_000
const mostShown = 100

type Reason = 'age' | 'values'
/** Late values that a rule did not judge on a device; `from` and `to` are their times (ms since 1970). */
type Unjudged = {
  deviceId: string
  ruleId: string
  reason: Reason
  from: number
  to: number
}

/** Late values that are not judged, joined by device, rule and reason until they are written. */
export class UnjudgedValues {
  private readonly noted = new Map<string, Unjudged>()

  add({ of, rule }: Judged, reason: Reason, { from, to }: { from: number; to: number }) {
    const one = { deviceId: of.device.id, ruleId: rule.id, reason, from, to }
    const key = `${one.deviceId} ${one.ruleId} ${reason}`
    const known = this.noted.get(key)
    this.noted.set(key, {
      ...one,
      from: Math.min(from, known?.from ?? from),
      to: Math.max(to, known?.to ?? to),
    })
  }

  get isEmpty() {
    return this.noted.size === 0
  }

  /** Takes what was noted. */
  take(): Unjudged[] {
    const all = [...this.noted.values()]
    this.noted.clear()
    return all
  }
}

/** Writes that late values were not judged; what is known of the same device, rule and reason grows. */
export async function saveUnjudged(db: Db, all: readonly Unjudged[], at: Date) {
  for (let start = 0; start < all.length; start += 1_000) {
    const rows = all.slice(start, start + 1_000)
    await db
      .insertInto('rule_unjudged')
      .values(
        rows.map(({ deviceId, ruleId, reason, from, to }) => ({
          device_id: deviceId,
          rule_id: ruleId,
          reason,
          from_t: from,
          to_t: to,
          at,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['device_id', 'rule_id', 'reason']).doUpdateSet({
          from_t: sql<number>`least(rule_unjudged.from_t, excluded.from_t)`,
          to_t: sql<number>`greatest(rule_unjudged.to_t, excluded.to_t)`,
          at: sql<Date>`excluded.at`,
        }),
      )
      .execute()
  }
}

type Asked = { ruleId?: string | undefined; deviceId?: string | undefined }

/** Late values of a rule, a device or both that were not judged, the newest first. */
export function unjudgedOf(db: Db, { ruleId, deviceId }: Asked) {
  let query = db.selectFrom('rule_unjudged').selectAll()
  if (ruleId !== undefined) query = query.where('rule_id', '=', ruleId)
  if (deviceId !== undefined) query = query.where('device_id', '=', deviceId)
  return query.orderBy('at', 'desc').orderBy('device_id').limit(mostShown).execute()
}

export const cleanupUnjudged = (db: Db, now: Date) =>
  db
    .deleteFrom('rule_unjudged')
    .where('at', '<', new Date(now.getTime() - keptMs))
    .execute()
