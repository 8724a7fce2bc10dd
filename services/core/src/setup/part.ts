import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { directory } from '../directory/part.ts'
import { organizations } from '../organizations/part.ts'
import { setupContract } from './contract.ts'
import { setupHandlers } from './setup-handlers.ts'

export const setup = definePart<CoreDeps>()({
  name: 'setup',
  contract: setupContract,
  uses: [directory, organizations],
  handlers: setupHandlers,
})
