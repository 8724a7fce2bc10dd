import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { messages } from '../messages/part.ts'
import { recipients } from '../recipients/part.ts'

/** Escalations. */
export const escalations = definePart<NotificationsDeps>()({
  name: 'escalations',
  uses: [messages, recipients],
})
