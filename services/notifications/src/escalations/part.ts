import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { messages } from '../messages/part.ts'
import { recipients } from '../recipients/part.ts'
import { schedules } from '../schedules/part.ts'
import { escalationsContract } from './contract.ts'
import { escalateDue } from './escalating.ts'
import { escalationHandlers } from './escalation-handlers.ts'
import { tellHandOvers } from './hand-over.ts'

export const escalations = definePart<NotificationsDeps>()({
  name: 'escalations',
  contract: escalationsContract,
  uses: [messages, recipients, schedules],
  handlers: escalationHandlers,
  every: { second: escalateDue, minute: tellHandOvers },
})
