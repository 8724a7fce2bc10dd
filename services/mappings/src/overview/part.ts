import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { search } from '../search/part.ts'
import { overviewContract } from './contract.ts'
import { fleetHandlers } from './fleet-handlers.ts'

export const overview = definePart<MappingsDeps>()({
  name: 'overview',
  contract: overviewContract,
  uses: [search],
  handlers: fleetHandlers,
})
