import { definePartContract } from '@longreach/kit/contract'
import { admissionEndpoints } from './admission-contract.ts'

export const admissionContract = definePartContract({
  endpoints: admissionEndpoints,
})
