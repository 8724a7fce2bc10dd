import { definePartContract } from '@longreach/kit/contract'
import { preferenceEndpoints } from './preference-contract.ts'

export const preferencesContract = definePartContract({
  endpoints: preferenceEndpoints,
})
