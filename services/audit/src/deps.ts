import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { AuditDb } from './database.ts'

export type AuditDeps = Deps<AuditDb, { core: typeof coreContract }>
