import { definePartContract } from '@longreach/kit/contract'
import { overviewEndpoints } from './overview-contract.ts'

export const overviewContract = definePartContract({
  endpoints: overviewEndpoints,
})
