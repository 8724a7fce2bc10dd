import type { alarmsContract } from '@longreach/alarms/contract'
import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { triggersContract } from '@longreach/triggers/contract'
import type { ServiceDb } from './database.ts'

export type PlatformDeps = Deps<
  ServiceDb,
  {
    core: typeof coreContract
    mappings: typeof mappingsContract
    alarms: typeof alarmsContract
    triggers: typeof triggersContract
  }
>
