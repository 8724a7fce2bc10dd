import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { channels } from '../channels/part.ts'
import { inbox } from '../inbox/part.ts'
import { push } from '../push/part.ts'
import { schedules } from '../schedules/part.ts'

/** People, addresses and channels that a rule or a step names. */
export const recipients = definePart<NotificationsDeps>()({
  name: 'recipients',
  uses: [channels, inbox, push, schedules],
})
