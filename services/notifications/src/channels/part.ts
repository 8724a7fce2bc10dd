import { definePart } from '@longreach/kit/part'
import type { NotificationsDeps } from '../deps.ts'
import { texts } from '../texts/part.ts'
import { channelHandlers, createTestCounts } from './channel-handlers.ts'
import { channelsContract } from './contract.ts'
import { cleanupPace } from './pace.ts'

export const channels = definePart<NotificationsDeps>()({
  name: 'channels',
  contract: channelsContract,
  uses: [texts],
  state: createTestCounts,
  handlers: channelHandlers,
  every: { hour: ({ db, now }) => cleanupPace(db, new Date(now().getTime() - 3_600_000)) },
})
