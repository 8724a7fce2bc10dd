import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { groups } from '../groups/part.ts'
import { invitations } from '../invitations/part.ts'
import { memberships } from '../memberships/part.ts'
import { roles } from '../roles/part.ts'
import { followAccounts } from './account-following.ts'
import { peopleContract } from './contract.ts'
import { importHandlers } from './import-handlers.ts'
import { cleanupImports, importInTime } from './import-job.ts'
import { securityHandlers } from './security-handlers.ts'
import { userHandlers } from './user-handlers.ts'

export const people = definePart<CoreDeps>()({
  name: 'people',
  contract: peopleContract,
  uses: [directory, access, roles, groups, memberships, invitations],
  handlers: (deps) => ({
    ...userHandlers(deps),
    ...importHandlers(deps),
    ...securityHandlers(deps),
  }),
  consumers: () => [followAccounts],
  start: importInTime,
  every: { minute: cleanupImports },
})
