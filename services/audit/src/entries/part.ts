import { definePart } from '@longreach/kit/part'
import { chain } from '../chain/part.ts'
import type { AuditDeps } from '../deps.ts'
import { scopes } from './audit-scope.ts'
import { entriesContract } from './contract.ts'
import { entryHandlers } from './entry-handlers.ts'

export const entries = definePart<AuditDeps>()({
  name: 'entries',
  contract: entriesContract,
  uses: [chain],
  state: (deps) => ({ scopeOf: scopes(deps) }),
  handlers: (deps) => entryHandlers(deps, deps.state.scopeOf),
})
