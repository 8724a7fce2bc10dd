import { definePartContract } from '@longreach/kit/contract'
import { timeLineEndpoints, timeLineErrors } from './time-line-contract.ts'

export const timeLineContract = definePartContract({
  errors: timeLineErrors,
  endpoints: timeLineEndpoints,
})
