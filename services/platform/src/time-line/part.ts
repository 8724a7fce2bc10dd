import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { moments } from '../moments/part.ts'
import { times } from '../times/part.ts'
import { commentHandlers } from './comment-handlers.ts'
import { timeLineContract } from './contract.ts'
import { timeLineHandlers } from './time-line-handlers.ts'
import { keepMoments } from './time-line-keeping.ts'

export const timeLine = definePart<PlatformDeps>()({
  name: 'time-line',
  contract: timeLineContract,
  uses: [moments, times, devices],
  handlers: ({ used, ...deps }) => ({
    ...timeLineHandlers(used.devices, deps),
    ...commentHandlers(used.devices, deps),
  }),
  consumers: ({ used, now }) => [keepMoments(used.devices.directory, now)],
})
