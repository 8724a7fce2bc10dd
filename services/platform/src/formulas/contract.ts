import { definePartContract } from '@longreach/kit/contract'
import { formulaEndpoints } from './formula-contract.ts'

export const formulasContract = definePartContract({
  endpoints: formulaEndpoints,
})
