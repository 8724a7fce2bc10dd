import { definePartContract } from '@longreach/kit/contract'
import { deviceAccountEndpoints } from './device-account-contract.ts'
import { deviceEndpoints } from './device-contract.ts'
import { deviceMoveEndpoints } from './device-move-contract.ts'
import { devicePlaceEndpoints } from './device-place-contract.ts'
import { policyDeviceEndpoints } from './policy-device-contract.ts'

export const devicesContract = definePartContract({
  errors: {
    /** It opens no organization for this device. */
    import_token_refused: 422,
  },
  endpoints: {
    ...policyDeviceEndpoints,
    ...deviceEndpoints,
    ...deviceAccountEndpoints,
    ...deviceMoveEndpoints,
    ...devicePlaceEndpoints,
  },
})
