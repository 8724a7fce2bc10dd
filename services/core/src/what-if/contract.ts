import { definePartContract } from '@longreach/kit/contract'
import { checkEndpoints } from './check-contract.ts'
import { impactEndpoints } from './impact-contract.ts'

export const whatIfContract = definePartContract({
  endpoints: {
    ...checkEndpoints,
    ...impactEndpoints,
  },
})
