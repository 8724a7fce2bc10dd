import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { access } from '../access/part.ts'
import { policies } from '../policies/part.ts'
import { rolesContract } from './contract.ts'
import { modelPathHandlers } from './model-path-handlers.ts'
import { startRoleUpgrade } from './ready-made-upgrade.ts'
import { roleHandlers } from './role-handlers.ts'

export const roles = definePart<CoreDeps>()({
  name: 'roles',
  contract: rolesContract,
  uses: [access, policies],
  handlers: (deps) => ({
    ...roleHandlers(deps),
    ...modelPathHandlers(deps),
  }),
  start: startRoleUpgrade,
})
