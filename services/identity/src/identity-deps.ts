import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { IdentityDb } from './identity-tables.ts'

export type IdentityDeps = Deps<IdentityDb, { core: typeof coreContract }>
