import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { viewsContract } from './contract.ts'
import { viewHandlers } from './view-handlers.ts'

export const views = definePart<PlatformDeps>()({
  name: 'views',
  contract: viewsContract,
  handlers: viewHandlers,
})
