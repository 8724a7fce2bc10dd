import { definePartContract } from '@longreach/kit/contract'
import { presetJobEndpoints } from './preset-job-contract.ts'

export const presetJobsContract = definePartContract({
  endpoints: presetJobEndpoints,
})
