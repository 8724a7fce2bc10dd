import type { identityContract } from '@longreach/identity/contract'
import type { Deps } from '@longreach/kit/service'
import type { CoreDb } from './database.ts'

export type CoreDeps = Deps<CoreDb, { identity: typeof identityContract }>
