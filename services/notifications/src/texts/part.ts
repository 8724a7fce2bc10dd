import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'

/** Texts of messages in five languages. */
export const texts = definePart<NotificationsDeps>()({
  name: 'texts',
})
