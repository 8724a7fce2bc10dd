import { definePartContract } from '@longreach/kit/contract'
import { presetTrialEndpoints } from '@longreach/mappings/preset-trial-contract'

export const rehearsalContract = definePartContract({
  endpoints: presetTrialEndpoints,
})
