import { definePartContract } from '@longreach/kit/contract'
import { exportEndpoints, exportErrors } from './export-contract.ts'

export const exportsContract = definePartContract({
  errors: exportErrors,
  endpoints: exportEndpoints,
})
