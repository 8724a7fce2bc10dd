import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { channels } from '../channels/part.ts'
import { messages } from '../messages/part.ts'
import { inbox } from '../inbox/part.ts'
import { push } from '../push/part.ts'
import { recipients } from '../recipients/part.ts'
import { texts } from '../texts/part.ts'
import { outgoing } from '../outgoing/part.ts'
import { pulse } from '../pulse/part.ts'
import { outboxContract } from './contract.ts'
import { outboxHandlers } from './outbox-handlers.ts'
import { startSender } from './sender.ts'
import { createSend } from './sending.ts'

export const outbox = definePart<NotificationsDeps>()({
  name: 'outbox',
  contract: outboxContract,
  uses: [texts, recipients, inbox, channels, messages, push, outgoing, pulse],
  handlers: outboxHandlers,
  start: (deps) => {
    const sender = startSender({ ...deps, send: createSend(deps) })
    deps.used.outgoing.written.take(sender.soon)
    return sender
  },
})
