import type { Deps } from '@longreach/kit/service'
import type { AuditDb } from './database.ts'

export type AuditDeps = Deps<AuditDb>
