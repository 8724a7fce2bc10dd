import { definePartContract } from '@longreach/kit/contract'
import { presetTrialEndpoints } from '../presets/preset-trial-contract.ts'

export const trialsContract = definePartContract({
  endpoints: presetTrialEndpoints,
})
