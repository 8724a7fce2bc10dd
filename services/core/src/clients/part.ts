import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { clientHandlers } from './client-handlers.ts'
import { clientsContract } from './contract.ts'

export const clients = definePart<CoreDeps>()({
  name: 'clients',
  contract: clientsContract,
  uses: [directory, access],
  handlers: clientHandlers,
})
