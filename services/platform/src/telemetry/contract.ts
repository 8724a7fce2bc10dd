import { definePartContract } from '@longreach/kit/contract'

export const telemetryContract = definePartContract({
  errors: {
    /** The time that the question itself allows is over. */
    query_timeout: 422,
    storage_unavailable: 503,
  },
})
