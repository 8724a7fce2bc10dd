import { alarmsContract } from '@longreach/alarms/contract'
import { coreContract } from '@longreach/core/contract'
import { jobsPart } from '@longreach/kit/jobs-part'
import { defineService } from '@longreach/kit/service'
import { mappingsContract } from '@longreach/mappings/contract'
import { triggersContract } from '@longreach/triggers/contract'
import { platformContract } from './contract.ts'
import { agents } from './agents/part.ts'
import { connections } from './connections/part.ts'
import { control } from './control/part.ts'
import { deviceAlarms } from './device-alarms/part.ts'
import { devices } from './devices/part.ts'
import { exports } from './exports/part.ts'
import { formulas } from './formulas/part.ts'
import { lines } from './lines/part.ts'
import { live } from './live/part.ts'
import { moments } from './moments/part.ts'
import { mqtt } from './mqtt/part.ts'
import { organizations } from './organizations/part.ts'
import { overview } from './overview/part.ts'
import { pairing } from './pairing/part.ts'
import { pulse } from './pulse/part.ts'
import { queries } from './queries/part.ts'
import { rehearsal } from './rehearsal/part.ts'
import { releases } from './releases/part.ts'
import { rules } from './rules/part.ts'
import { storage } from './storage/part.ts'
import { telemetry } from './telemetry/part.ts'
import { timeLine } from './time-line/part.ts'
import { times } from './times/part.ts'
import { values } from './values/part.ts'
import { views } from './views/part.ts'
import { writes } from './writes/part.ts'
import { triggerWrites } from './trigger-writes/part.ts'
import { timingsOf } from './timings/part.ts'
import type { Timings } from './timings/timings.ts'

/** The platform with other times than usual, as tests of waiting need them. */
export const platformWith = (timings: Partial<Timings>) =>
  defineService({
    contract: platformContract,
    needs: {
      core: coreContract,
      mappings: mappingsContract,
      alarms: alarmsContract,
      triggers: triggersContract,
    },
    migrations: new URL('migrations/', import.meta.url),
    reachesOthers: true,
    parts: [
      timingsOf(timings),
      organizations,
      moments,
      times,
      telemetry,
      releases,
      pairing,
      devices,
      lines,
      queries,
      formulas,
      mqtt,
      values,
      rules,
      pulse,
      agents,
      deviceAlarms,
      control,
      writes,
      triggerWrites,
      exports,
      live,
      rehearsal,
      storage,
      overview,
      views,
      connections,
      // After connections: a move deletes earlier entries before the entry of the move is written.
      timeLine,
      jobsPart(platformContract),
    ],
  })

export const platform = platformWith({})
