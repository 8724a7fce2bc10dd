import { pulseDevice, type PulsePassed } from '@longreach/alarms/pulse-contract'
import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { RuleChanged } from './alarm-types.ts'

type Db = Kysely<ServiceDb>
type OwnStation = 'turn' | 'value' | 'rule'

/** Notes a beat at a station; false when a newer one, or the same, is there already. */
export async function notePulse(db: Db, station: OwnStation, { t, at }: PulsePassed) {
  const { rows } = await sql`
    insert into platform.pulse_station (station, t, at)
    values (${station}, ${new Date(t)}, ${new Date(at)})
    on conflict (station) do update set t = excluded.t, at = excluded.at
      where pulse_station.t < excluded.t
    returning station`.execute(db)
  return rows.length > 0
}

/** Notes the newest beat of which a rule's finding is published by this transaction. */
export async function noteJudgedPulse(tx: Db, events: readonly RuleChanged[], at: Date) {
  const beats = events
    .filter(({ deviceId }) => deviceId === pulseDevice)
    .flatMap(({ changes }) => changes.flatMap(({ kind, t }) => (kind === 'raise' ? [t] : [])))
  if (beats.length > 0) await notePulse(tx, 'rule', { t: Math.max(...beats), at: at.getTime() })
}

/** Newest beats that passed, by station. */
export async function passedStations(db: Db): Promise<Map<OwnStation, PulsePassed>> {
  const rows = await db.selectFrom('pulse_station').selectAll().execute()
  return new Map(rows.map(({ station, t, at }) => [station, { t: t.getTime(), at: at.getTime() }]))
}
