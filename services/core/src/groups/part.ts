import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { policies } from '../policies/part.ts'
import { roles } from '../roles/part.ts'
import { groupsContract } from './contract.ts'
import { groupHandlers } from './group-handlers.ts'

export const groups = definePart<CoreDeps>()({
  name: 'groups',
  contract: groupsContract,
  uses: [directory, access, policies, roles],
  handlers: groupHandlers,
})
