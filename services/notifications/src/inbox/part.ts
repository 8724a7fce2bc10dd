import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { texts } from '../texts/part.ts'
import { inboxContract } from './contract.ts'
import { inboxHandlers } from './inbox-handlers.ts'

export const inbox = definePart<NotificationsDeps>()({
  name: 'inbox',
  contract: inboxContract,
  uses: [texts],
  handlers: inboxHandlers,
})
