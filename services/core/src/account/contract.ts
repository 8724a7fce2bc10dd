import { definePartContract } from '@longreach/kit/contract'
import { accountEndpoints } from './account-contract.ts'

export const accountContract = definePartContract({
  endpoints: accountEndpoints,
})
