import { coreContract } from '@longreach/core/contract'
import { defineService } from '@longreach/kit/service'
import { chain } from './chain/part.ts'
import { auditContract } from './contract.ts'
import { entries } from './entries/part.ts'
import { retention } from './retention/part.ts'
import { verification } from './verification/part.ts'

/** Audit service: entries of who did, or tried to do, what, in a chain that reveals later changes. */
export const audit = defineService({
  contract: auditContract,
  needs: { core: coreContract },
  migrations: new URL('./migrations/', import.meta.url),
  parts: [chain, entries, retention, verification],
})
