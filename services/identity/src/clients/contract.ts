import { definePartContract } from '@longreach/kit/contract'
import { clientEndpoints } from './client-contract.ts'

export const clientsContract = definePartContract({
  endpoints: clientEndpoints,
})
