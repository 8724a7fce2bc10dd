import { definePartContract } from '@longreach/kit/contract'
import { fleetEndpoints } from './fleet-contract.ts'

export const overviewContract = definePartContract({
  endpoints: fleetEndpoints,
})
