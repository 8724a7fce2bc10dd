import { deviceStateEvents } from '@longreach/mappings/device-state-contract'
import { definePartContract } from '@longreach/kit/contract'
import { deviceActivityEndpoints } from './device-activity-contract.ts'
import { deviceEndpoints } from './device-contract.ts'
import { deviceFactsEndpoints } from './device-facts-contract.ts'

export const devicesContract = definePartContract({
  endpoints: {
    ...deviceActivityEndpoints,
    ...deviceFactsEndpoints,
    ...deviceEndpoints,
  },
  events: deviceStateEvents,
})
