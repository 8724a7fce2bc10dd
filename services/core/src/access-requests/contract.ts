import { definePartContract } from '@longreach/kit/contract'
import { accessRequestEndpoints } from './access-request-contract.ts'

export const accessRequestsContract = definePartContract({
  errors: {
    /** Another administrator was first. */
    already_decided: 409,
    /** Neither a group nor a role. */
    nothing_given: 422,
  },
  endpoints: accessRequestEndpoints,
})
