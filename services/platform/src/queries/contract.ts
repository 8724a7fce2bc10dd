import { definePartContract } from '@longreach/kit/contract'
import { valueSearchEndpoints } from './value-search-contract.ts'

export const queriesContract = definePartContract({
  endpoints: valueSearchEndpoints,
})
