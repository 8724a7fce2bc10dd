import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { memberships } from '../memberships/part.ts'
import { accessRequestHandlers } from './access-request-handlers.ts'
import { accessRequestsContract } from './contract.ts'

export const accessRequests = definePart<CoreDeps>()({
  name: 'access-requests',
  contract: accessRequestsContract,
  uses: [directory, access, memberships],
  handlers: accessRequestHandlers,
})
