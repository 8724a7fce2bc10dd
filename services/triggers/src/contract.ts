import { joinContracts } from '@longreach/kit/contract'
import { actingContract } from './acting/contract.ts'
import { countersContract } from './counters/contract.ts'
import { firingsContract } from './firing-contract.ts'
import { runsContract } from './runs/contract.ts'
import { savingContract } from './saving/contract.ts'

/**
 * Calls of triggers. Trying one on the past is `tryTrigger` in the contract of platform, which has the values, at
 * addresses of this service: `POST triggers/:id/try` and `POST triggers/try`.
 */
export const triggersContract = joinContracts(
  {
    service: 'triggers',
    base: '/svc/trigger/api/v1',
    errors: { not_found: 404 },
  },
  [savingContract, firingsContract, actingContract, countersContract, runsContract],
)
