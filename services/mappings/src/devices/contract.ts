import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { deviceId } from '../search/device-fields-contract.ts'
import { bulkEndpoints } from './bulk-contract.ts'
import { chosenEndpoints } from './chosen-contract.ts'
import { describedEndpoints } from './described-contract.ts'
import { deviceEndpoints } from './device-contract.ts'
import { moveEndpoints } from './move-contract.ts'
import { platformDeviceEndpoints } from './platform-device-contract.ts'
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
    ...bulkEndpoints,
    ...chosenEndpoints,
    ...describedEndpoints,
    ...deviceEndpoints,
    ...moveEndpoints,
    ...platformDeviceEndpoints,
  },
  events: {
    deviceCreated: {
      topic: 'mappings.device_created',
      payload: z.object({ deviceId, label: z.string(), orgResourceId: z.string() }),
    },
    /** The device belongs to another organization now, with everything that it ever sent. */
    deviceMoved: {
      topic: 'mappings.device_moved',
      payload: z.object({
        deviceId,
        label: z.string(),
        from: z.string(),
        to: z.string(),
        /** Comments and the time-line of before go along. */
        notes: z.boolean().default(false),
      }),
    },
    /**
     * The device went into the trash, where it connects no more and nobody sees it; came back from
     * there as it was; or is gone for good. One topic, so that all hear it in the order it happened.
     */
    deviceLife: {
      topic: 'mappings.device_life',
      payload: z.object({
        deviceId,
        orgResourceId: z.string(),
        label: z.string(),
        state: z.enum(['deleted', 'restored', 'purged']),
      }),
    },
    /** The device's preset was set, changed or taken away, or its label, organization or groups changed. */
    deviceChanged: {
      topic: 'mappings.device_changed',
      payload: z.object({
        deviceId,
        configurationChanged: z.boolean(),
        /** Its label as it is now, where that may have changed. */
        label: z.string().optional(),
        /** User name of the person who gave it another configuration. */
        by: z.string().optional(),
      }),
    },
  },
})
