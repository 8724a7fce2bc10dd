import { definePartContract } from '@longreach/kit/contract'
import { apiKeyEndpoints } from './api-key-contract.ts'

export const apiKeysContract = definePartContract({
  errors: {
    /** An owner has one API key in an organization, and the next one while they change over. */
    too_many_keys: 409,
  },
  endpoints: apiKeyEndpoints,
})
