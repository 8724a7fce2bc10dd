import { definePart } from '@longreach/kit/part'
import { createSignal } from '@longreach/kit/rounds'
import { channels } from '../channels/part.ts'
import type { NotificationsDeps } from '../deps.ts'
import { messages } from '../messages/part.ts'
import { recipients } from '../recipients/part.ts'
import { texts } from '../texts/part.ts'
import { outgoingContract } from './contract.ts'
import { outgoingHandlers } from './outgoing-handlers.ts'

/** Messages that other services have decided on. */
export const outgoing = definePart<NotificationsDeps>()({
  name: 'outgoing',
  contract: outgoingContract,
  uses: [texts, channels, recipients, messages],
  /** Deliveries came that wait to be sent. */
  state: () => ({ written: createSignal() }),
  handlers: outgoingHandlers,
})
