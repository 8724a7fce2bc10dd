import { alarmsContract } from '@longreach/alarms/contract'
import { coreContract } from '@longreach/core/contract'
import { defineService } from '@longreach/kit/service'
import { notificationsContract } from './contract.ts'
import { channels } from './channels/part.ts'
import { escalations } from './escalations/part.ts'
import { inbox } from './inbox/part.ts'
import { messages } from './messages/part.ts'
import { outgoing } from './outgoing/part.ts'
import { outbox } from './outbox/part.ts'
import { pulse } from './pulse/part.ts'
import { push } from './push/part.ts'
import { recipients } from './recipients/part.ts'
import { rules } from './rules/part.ts'
import { schedules } from './schedules/part.ts'
import { texts } from './texts/part.ts'
import { way } from './way/part.ts'
import { why } from './why/part.ts'

/** Notifications: which alarms are told to whom, over which channels, and what became of each message. */
export const notifications = defineService({
  contract: notificationsContract,
  needs: { core: coreContract, alarms: alarmsContract },
  migrations: new URL('./migrations/', import.meta.url),
  parts: [
    texts,
    inbox,
    channels,
    push,
    schedules,
    recipients,
    messages,
    escalations,
    rules,
    outgoing,
    pulse,
    outbox,
    way,
    why,
  ],
})
