import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { viewsContract } from './contract.ts'
import { viewHandlers } from './view-handlers.ts'
import { publishEarlierViews } from './view-uses.ts'

export const views = definePart<PlatformDeps>()({
  name: 'views',
  contract: viewsContract,
  handlers: viewHandlers,
  start: publishEarlierViews,
})
