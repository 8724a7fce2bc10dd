import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { MappingsDb } from './database.ts'

export type MappingsDeps = Deps<MappingsDb, { core: typeof coreContract }>
