import { coreContract } from '@longreach/core/contract'
import { defineService } from '@longreach/kit/service'
import { chain } from './chain/part.ts'
import { auditContract } from './contract.ts'
import { entries } from './entries/part.ts'
import { retention } from './retention/part.ts'
import { verification } from './verification/part.ts'

/** Who did what, and who tried to: kept in a chain that shows whether anybody touched it. */
export const audit = defineService({
  contract: auditContract,
  needs: { core: coreContract },
  migrations: new URL('./migrations/', import.meta.url),
  parts: [chain, entries, retention, verification],
})
