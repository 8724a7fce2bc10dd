import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'
import type { IdentityDb } from './identity-tables.ts'

/** Dependencies of the handlers and routes of identity. */
export type IdentityDeps = Deps<IdentityDb, { core: typeof coreContract }>
