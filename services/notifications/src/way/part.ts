import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { escalations } from '../escalations/part.ts'
import { messages } from '../messages/part.ts'
import { pulse } from '../pulse/part.ts'
import { recipients } from '../recipients/part.ts'
import { rules } from '../rules/part.ts'
import { hearAlarms } from './hearing.ts'
import { judgeDue } from './judging.ts'
import { tellDue } from './telling.ts'

/** Way of an alarm from its change to the deliveries of a message. */
export const way = definePart<NotificationsDeps>()({
  name: 'way',
  uses: [rules, recipients, messages, escalations, pulse],
  consumers: ({ now }) => [hearAlarms(now)],
  every: {
    second: async (deps) => {
      // The message of a flood goes out while the rest of it is judged.
      while (await judgeDue(deps)) await tellDue(deps)
      await tellDue(deps)
    },
  },
})
