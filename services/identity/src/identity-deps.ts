import type { Deps } from '@longreach/kit/service'
import type { IdentityDb } from './identity-tables.ts'
import type { organizationsContract } from './organizations-contract.ts'

/** Dependencies of the handlers and routes of identity. */
export type IdentityDeps = Deps<IdentityDb, { core: typeof organizationsContract }>
