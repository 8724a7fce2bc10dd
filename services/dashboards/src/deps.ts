import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { DashboardsDb } from './database.ts'

export type DashboardsDeps = Deps<DashboardsDb, { core: typeof coreContract }>
