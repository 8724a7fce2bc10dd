import { definePartContract } from '@longreach/kit/contract'
import { groupEndpoints } from './group-contract.ts'

export const groupsContract = definePartContract({
  endpoints: groupEndpoints,
})
