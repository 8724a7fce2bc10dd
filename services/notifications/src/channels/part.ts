import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { texts } from '../texts/part.ts'

/** Channels of organizations. */
export const channels = definePart<NotificationsDeps>()({
  name: 'channels',
  uses: [texts],
})
