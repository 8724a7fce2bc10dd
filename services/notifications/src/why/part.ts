import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { outbox } from '../outbox/part.ts'
import { rules } from '../rules/part.ts'
import { whyContract } from './contract.ts'
import { whyHandlers } from './why-handlers.ts'

export const why = definePart<NotificationsDeps>()({
  name: 'why',
  contract: whyContract,
  uses: [rules, outbox],
  handlers: whyHandlers,
})
