import { deviceEvents } from '@longreach/core/device-event-contract'
import { definePartContract } from '@longreach/kit/contract'
import { bulkEndpoints } from './bulk-contract.ts'
import { chosenEndpoints } from './chosen-contract.ts'
import { describedEndpoints } from './described-contract.ts'
import { deviceEndpoints } from './device-contract.ts'
import { moveEndpoints } from './move-contract.ts'
import { platformDeviceEndpoints } from './platform-device-contract.ts'
import { triggerEndpoints } from './trigger-contract.ts'
import { trashEndpoints } from './trash-contract.ts'

export const devicesContract = definePartContract({
  errors: {
    bad_scroll: 400,
    device_not_allowed: 403,
    attributes_too_large: 422,
    attribute_refused: 422,
    label_taken: 409,
    import_token_refused: 422,
  },
  endpoints: {
    ...trashEndpoints,
    ...triggerEndpoints,
    ...bulkEndpoints,
    ...chosenEndpoints,
    ...describedEndpoints,
    ...deviceEndpoints,
    ...moveEndpoints,
    ...platformDeviceEndpoints,
  },
  events: deviceEvents,
})
