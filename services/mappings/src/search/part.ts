import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { searchContract } from './contract.ts'

export const search = definePart<MappingsDeps>()({
  name: 'search',
  contract: searchContract,
})
