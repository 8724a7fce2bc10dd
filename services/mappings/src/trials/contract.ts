import { definePartContract } from '@longreach/kit/contract'
import { presetJudgementEndpoints } from '../presets/preset-trial-contract.ts'

export const trialsContract = definePartContract({
  endpoints: presetJudgementEndpoints,
})
