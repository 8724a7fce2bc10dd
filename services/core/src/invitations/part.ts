import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { memberships } from '../memberships/part.ts'
import { invitationsContract } from './contract.ts'
import { invitationHandlers } from './invitation-handlers.ts'

export const invitations = definePart<CoreDeps>()({
  name: 'invitations',
  contract: invitationsContract,
  uses: [directory, access, memberships],
  handlers: invitationHandlers,
})
