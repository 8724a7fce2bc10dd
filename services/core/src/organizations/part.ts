import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { directory } from '../directory/part.ts'
import { groups } from '../groups/part.ts'
import { memberships } from '../memberships/part.ts'
import { policies } from '../policies/part.ts'
import { roles } from '../roles/part.ts'
import { consequenceHandlers } from './consequence-handlers.ts'
import { organizationsContract } from './contract.ts'
import { deletionHandlers } from './deletion-handlers.ts'
import { importTokenHandlers } from './import-token-handlers.ts'
import { organizationHandlers } from './organization-handlers.ts'
import { purgeDueOrganizations } from './purge.ts'
import { resourceHandlers } from './resource-handlers.ts'
import { treeHandlers } from './tree-handlers.ts'

export const organizations = definePart<CoreDeps>()({
  name: 'organizations',
  contract: organizationsContract,
  uses: [directory, access, policies, roles, groups, memberships],
  handlers: (deps) => ({
    ...organizationHandlers(deps),
    ...treeHandlers(deps),
    ...resourceHandlers(deps),
    ...deletionHandlers(deps),
    ...consequenceHandlers(deps),
    ...importTokenHandlers(deps),
  }),
  every: { hour: purgeDueOrganizations },
})
