import { definePartContract } from '@longreach/kit/contract'
import { viewEndpoints, viewErrors } from './view-contract.ts'

export const viewsContract = definePartContract({
  errors: viewErrors,
  endpoints: viewEndpoints,
})
