import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { apiKeyHandlers } from './api-key-handlers.ts'
import { apiKeysContract } from './contract.ts'

export const apiKeys = definePart<CoreDeps>()({
  name: 'api-keys',
  contract: apiKeysContract,
  uses: [directory, access],
  handlers: apiKeyHandlers,
})
