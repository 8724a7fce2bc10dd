import { definePartContract } from '@longreach/kit/contract'
import { impersonationEndpoints } from './impersonation-contract.ts'

export const impersonationContract = definePartContract({
  endpoints: impersonationEndpoints,
})
