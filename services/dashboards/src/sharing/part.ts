import { definePart } from '@longreach/kit/part'
import type { DashboardsDeps } from '../deps.ts'
import { items } from '../items/part.ts'
import { sharingContract } from './contract.ts'
import { sharingHandlers } from './sharing-handlers.ts'

/** Readers and editors of dashboards. */
export const sharing = definePart<DashboardsDeps>()({
  name: 'sharing',
  contract: sharingContract,
  uses: [items],
  handlers: (deps) => sharingHandlers(deps),
})
