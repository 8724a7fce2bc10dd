import { definePartContract } from '@longreach/kit/contract'

export const searchContract = definePartContract({
  errors: {
    bad_place: 400,
  },
})
