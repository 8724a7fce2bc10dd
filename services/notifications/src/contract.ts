import { joinContracts } from '@longreach/kit/contract'
import { channelsContract } from './channels/contract.ts'
import { escalationsContract } from './escalations/contract.ts'
import { inboxContract } from './inbox/contract.ts'
import { outgoingContract } from './outgoing/contract.ts'
import { outboxContract } from './outbox/contract.ts'
import { pulseContract } from './pulse/contract.ts'
import { pushContract } from './push/contract.ts'
import { rulesContract } from './rules/contract.ts'
import { schedulesContract } from './schedules/contract.ts'
import { whyContract } from './why/contract.ts'

export const notificationsContract = joinContracts(
  {
    service: 'notifications',
    base: '/svc/notification/api/v1',
    errors: { not_found: 404 },
  },
  [
    rulesContract,
    channelsContract,
    inboxContract,
    pushContract,
    escalationsContract,
    schedulesContract,
    outboxContract,
    outgoingContract,
    whyContract,
    pulseContract,
  ],
)
