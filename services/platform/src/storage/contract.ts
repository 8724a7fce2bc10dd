import { definePartContract } from '@longreach/kit/contract'
import { storageEndpoints, storageErrors } from './storage-contract.ts'

export const storageContract = definePartContract({
  errors: storageErrors,
  endpoints: storageEndpoints,
})
