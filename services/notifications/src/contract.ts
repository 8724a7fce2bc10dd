import { joinContracts } from '@longreach/kit/contract'
import { outboxContract } from './outbox/contract.ts'
import { rulesContract } from './rules/contract.ts'

export const notificationsContract = joinContracts(
  {
    service: 'notifications',
    base: '/svc/notification/api/v1',
    errors: { not_found: 404 },
  },
  [rulesContract, outboxContract],
)
