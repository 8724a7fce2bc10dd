import { joinContracts } from '@longreach/kit/contract'
import { entriesContract } from './entries/contract.ts'
import { retentionContract } from './retention/contract.ts'
import { verificationContract } from './verification/contract.ts'

export const auditContract = joinContracts(
  { service: 'audit', base: '/svc/audit/api/v1', errors: { not_found: 404 } },
  [entriesContract, retentionContract, verificationContract],
)
