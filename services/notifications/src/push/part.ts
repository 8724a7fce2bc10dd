import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { channels } from '../channels/part.ts'
import { inbox } from '../inbox/part.ts'
import { texts } from '../texts/part.ts'
import { pushContract } from './contract.ts'
import { createPushTests, pushHandlers } from './push-handlers.ts'

/** Messages that browsers show, also while the portal is closed. */
export const push = definePart<NotificationsDeps>()({
  name: 'push',
  contract: pushContract,
  uses: [texts, inbox, channels],
  state: createPushTests,
  handlers: pushHandlers,
})
