import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { recipients } from '../recipients/part.ts'
import { cleanupMessages, forgetOrganizations } from './cleanup.ts'
import { tellHeld } from './held.ts'

/** Messages with a delivery for each recipient and channel. */
export const messages = definePart<NotificationsDeps>()({
  name: 'messages',
  uses: [recipients],
  consumers: () => [forgetOrganizations],
  every: { minute: tellHeld, hour: cleanupMessages },
})
