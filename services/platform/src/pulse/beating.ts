import type { Kysely } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { notePulse } from '../rules/pulse-station.ts'
import type { RuleEngine } from '../rules/rule-engine.ts'
import type { Ingest } from '../values/ingest.ts'
import { createPulseDevice } from './pulse-device.ts'

type Options = {
  db: Kysely<ServiceDb>
  now: () => Date
  /** True while this process is the one that beats. */
  leads: () => Promise<boolean>
  ingest: Pick<Ingest, 'add'>
  engine: Pick<RuleEngine, 'came' | 'drop'>
  store: OpenTelemetry
}

const minuteMs = 60_000
/** Time for which values of the pulse are kept, in ms. */
const keptMs = 86_400_000

/**
 * Beats of the pulse: one a minute, by one process of all. A beat is a value that a rule raises an alarm for, and a
 * second one, a millisecond later, that ends it.
 */
export function createPulse({ db, now, leads, ingest, engine, store }: Options) {
  const { device, target } = createPulseDevice()
  /** Minute in which this process looked last. */
  let looked = 0
  let leave: (() => void) | undefined

  /** Judges the device here from now on, or no more. */
  const follow = (isLeader: boolean) => {
    if (isLeader) leave ??= engine.came(device)
    else if (leave) {
      leave()
      leave = undefined
      if (device.rules) engine.drop(device.rules)
    }
  }

  return {
    /** Beats if a minute has begun since the last beat of any process; called each second. */
    async beat() {
      const minute = Math.floor(now().getTime() / minuteMs)
      if (minute === looked) return
      const isLeader = await leads()
      looked = minute
      follow(isLeader)
      if (!isLeader) return
      const t = now().getTime()
      if (!(await notePulse(db, 'turn', { t: minute * minuteMs, at: t }))) return
      await Promise.all([ingest.add(target, { t, v: 1 }), ingest.add(target, { t: t + 1, v: 0 })])
      await notePulse(db, 'value', { t, at: now().getTime() })
    },
    /** Deletes values of more than a day ago, in the process that beats. */
    async cleanup() {
      const { series } = target
      if (leave === undefined || series === undefined) return
      await (await store()).expire([{ series, before: now().getTime() - keptMs }])
    },
  }
}
