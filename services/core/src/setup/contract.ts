import { definePartContract } from '@longreach/kit/contract'
import { setupEndpoints } from './setup-contract.ts'

export const setupContract = definePartContract({
  errors: {
    setup_done: 409,
    setup_token_refused: 403,
  },
  endpoints: setupEndpoints,
})
