import { definePartContract } from '@longreach/kit/contract'
import { impersonationEndpoints } from './impersonation-contract.ts'

export const impersonationContract = definePartContract({
  errors: {
    /** Programs and oneself. */
    cannot_impersonate: 422,
  },
  endpoints: impersonationEndpoints,
})
