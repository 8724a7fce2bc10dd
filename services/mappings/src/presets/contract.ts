import { definePartContract } from '@longreach/kit/contract'
import { presetEndpoints } from './preset-contract.ts'

export const presetsContract = definePartContract({
  errors: {
    no_such_model: 422,
    too_many: 400,
    preset_exists: 409,
    preset_in_use: 409,
    preset_changed: 409,
    preset_invalid: 422,
    preset_path_missing: 422,
    no_such_preset: 422,
  },
  endpoints: presetEndpoints,
})
