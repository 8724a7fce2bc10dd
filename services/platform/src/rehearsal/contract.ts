import { definePartContract } from '@longreach/kit/contract'
import { rehearsalEndpoints } from './rehearsal-contract.ts'

export const rehearsalContract = definePartContract({
  endpoints: rehearsalEndpoints,
})
