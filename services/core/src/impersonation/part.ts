import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { impersonationContract } from './contract.ts'
import { impersonationHandlers } from './impersonation-handlers.ts'

export const impersonation = definePart<CoreDeps>()({
  name: 'impersonation',
  contract: impersonationContract,
  uses: [directory, access],
  handlers: impersonationHandlers,
})
