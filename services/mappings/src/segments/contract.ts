import { definePartContract } from '@longreach/kit/contract'
import { segmentEndpoints } from './segment-contract.ts'

export const segmentsContract = definePartContract({
  errors: {
    segment_exists: 409,
    segment_is_dynamic: 409,
  },
  endpoints: segmentEndpoints,
})
