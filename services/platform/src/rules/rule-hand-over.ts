import type { HandOver } from '@longreach/telemetry/store'
import type { Kysely } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { RuleEngine } from './rule-engine.ts'
import { noteUnjudged, unjudgedBlocks } from './rule-progress.ts'

type Options = { db: Kysely<ServiceDb>; now: () => Date }

/** Handing over of values that a process stored and died before rules had judged them. */
export const handOverOf = (engine: RuleEngine, { db, now }: Options): HandOver => ({
  open: (versions) => unjudgedBlocks(db, versions),
  take: async (touched, versions) => {
    const oldest = new Map<string, number>()
    for (const { series, since } of touched) {
      oldest.set(series.device, Math.min(since, oldest.get(series.device) ?? Infinity))
    }
    await noteUnjudged(db, oldest, versions, now())
  },
  done: () => engine.caughtUp(),
})
