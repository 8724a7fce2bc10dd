import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { AlarmsDb } from './database.ts'

export type AlarmsDeps = Deps<
  AlarmsDb,
  { core: typeof coreContract; mappings: typeof mappingsContract }
>
