import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { directory } from '../directory/part.ts'
import { preferencesContract } from './contract.ts'
import { preferenceHandlers } from './preference-handlers.ts'

export const preferences = definePart<CoreDeps>()({
  name: 'preferences',
  contract: preferencesContract,
  uses: [directory],
  handlers: preferenceHandlers,
})
