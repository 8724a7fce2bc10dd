import { definePartContract } from '@longreach/kit/contract'
import { explainEndpoints } from './explain-contract.ts'

export const explanationsContract = definePartContract({
  endpoints: explainEndpoints,
})
