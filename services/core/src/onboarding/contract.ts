import { definePartContract } from '@longreach/kit/contract'
import { onboardingEndpoints } from './onboarding-contract.ts'

export const onboardingContract = definePartContract({
  errors: {
    /** People cannot register in this installation. */
    registration_closed: 403,
    registration_incomplete: 422,
    /** Agreements that one has to accept to register. */
    agreements_missing: 422,
    /** The link was used, or is too old. */
    registration_gone: 410,
  },
  endpoints: onboardingEndpoints,
})
