import { definePart } from '@longreach/kit/part'
import { channels } from '../channels/part.ts'
import type { NotificationsDeps } from '../deps.ts'
import { recipients } from '../recipients/part.ts'
import { pulseContract } from './contract.ts'
import { createWatcherTests, pulseHandlers } from './pulse-handlers.ts'
import { cleanupPulse } from './pulse-store.ts'

/** End of the pulse: a message each minute that reaches this service itself and watchers outside. */
export const pulse = definePart<NotificationsDeps>()({
  name: 'pulse',
  contract: pulseContract,
  uses: [channels, recipients],
  state: createWatcherTests,
  handlers: pulseHandlers,
  every: { minute: cleanupPulse },
})
