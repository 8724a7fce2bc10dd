import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { directory } from '../directory/part.ts'
import { accountHandlers } from './account-handlers.ts'
import { accountContract } from './contract.ts'

export const account = definePart<CoreDeps>()({
  name: 'account',
  contract: accountContract,
  uses: [directory],
  handlers: accountHandlers,
})
