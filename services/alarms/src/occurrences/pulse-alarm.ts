import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { pulseDevice } from '../pulse-contract.ts'
import type { RuleChanged } from './contract.ts'

/** Notes the newest beat of the pulse among events of which the alarms were written in this transaction. */
export async function notePulseAlarm(
  tx: Kysely<AlarmsDb>,
  events: readonly RuleChanged[],
  now: Date,
) {
  const beats = events
    .filter(({ deviceId }) => deviceId === pulseDevice)
    .flatMap(({ changes }) => changes.filter(({ kind }) => kind === 'raise'))
  if (beats.length === 0) return
  const t = new Date(Math.max(...beats.map((beat) => beat.t)))
  await sql`insert into alarms.pulse_station (station, t, at) values ('alarm', ${t}, ${now})
    on conflict (station) do update set t = excluded.t, at = excluded.at
    where pulse_station.t < excluded.t`.execute(tx)
}

/** True for what belongs to the pulse, which has no counts and no time-line. */
export const isOfPulse = (deviceId: string) => deviceId === pulseDevice
