import { definePartContract } from '@longreach/kit/contract'
import { modelEndpoints } from './model-contract.ts'
import { rulePathsEndpoints } from './rule-paths-contract.ts'

export const modelsContract = definePartContract({
  errors: {
    model_exists: 409,
    model_in_use: 409,
    model_changed: 409,
    model_not_yours: 403,
    model_invalid: 422,
    model_refers_to_itself: 422,
  },
  endpoints: { ...modelEndpoints, ...rulePathsEndpoints },
})
