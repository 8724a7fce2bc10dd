import { definePartContract } from '@longreach/kit/contract'
import { agreementEndpoints } from './agreement-contract.ts'

export const agreementsContract = definePartContract({
  errors: {
    agreement_refused: 422,
    /** Nobody can do it in another's place. */
    only_oneself: 403,
  },
  endpoints: agreementEndpoints,
})
