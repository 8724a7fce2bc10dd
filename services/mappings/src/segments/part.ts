import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { search } from '../search/part.ts'
import { segmentsContract } from './contract.ts'
import { segmentHandlers } from './segment-handlers.ts'

export const segments = definePart<MappingsDeps>()({
  name: 'segments',
  contract: segmentsContract,
  uses: [search],
  handlers: segmentHandlers,
})
