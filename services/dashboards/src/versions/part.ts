import { definePart } from '@longreach/kit/part'
import type { DashboardsDeps } from '../deps.ts'
import { drafts } from '../drafts/part.ts'
import { items } from '../items/part.ts'
import { versionsContract } from './contract.ts'
import { versionHandlers } from './version-handlers.ts'

/** Versions of dashboards. */
export const versions = definePart<DashboardsDeps>()({
  name: 'versions',
  contract: versionsContract,
  uses: [drafts, items],
  handlers: (deps) => versionHandlers(deps),
})
