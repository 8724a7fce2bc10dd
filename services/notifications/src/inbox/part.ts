import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { texts } from '../texts/part.ts'

/** Message inbox and preferences of people. */
export const inbox = definePart<NotificationsDeps>()({
  name: 'inbox',
  uses: [texts],
})
