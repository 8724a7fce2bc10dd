import type { organizationsContract } from './organizations-contract.ts'
import type { Deps } from '@longreach/kit/service'
import type { IdentityDb } from './identity-tables.ts'
import type { Rights } from './rights/rights.ts'

/** Dependencies of the handlers and routes of identity. */
export type IdentityDeps = Deps<IdentityDb, { core: typeof organizationsContract }>
/** Dependencies of requests to a realm. */
export type RealmDeps = IdentityDeps & { rights: Rights }
