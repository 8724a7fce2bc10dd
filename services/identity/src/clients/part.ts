import { definePart } from '@longreach/kit/part'
import type { IdentityDeps } from '../identity-deps.ts'
import { accounts } from '../accounts/part.ts'
import { realms } from '../realms/part.ts'
import { clientHandlers } from './client-handlers.ts'
import { clientsContract } from './contract.ts'

export const clients = definePart<IdentityDeps>()({
  name: 'clients',
  contract: clientsContract,
  uses: [accounts, realms],
  handlers: clientHandlers,
})
