import { defineContract } from '@longreach/kit/contract'
import { jobEndpoints } from '@longreach/kit/job-contract'
import { FormulaWindows } from '@longreach/platform/contract'
import { fillPolicies, paddingPolicies } from '@longreach/formula/missing'
import { z } from 'zod'
import { describedEndpoints } from './devices/described-contract.ts'
import { deviceEndpoints } from './devices/device-contract.ts'
import { deviceId } from './search/device-fields-contract.ts'
import { bulkEndpoints } from './devices/bulk-contract.ts'
import { chosenEndpoints } from './devices/chosen-contract.ts'
import { importEndpoints } from './imports/import-contract.ts'
import { trashEndpoints } from './devices/trash-contract.ts'
import { segmentEndpoints } from './segments/segment-contract.ts'
import { moveEndpoints } from './devices/move-contract.ts'
import { fleetEndpoints } from './overview/fleet-contract.ts'
import { modelEndpoints } from './models/model-contract.ts'
import { presetEndpoints } from './presets/preset-contract.ts'
import { presetTrialEndpoints } from './presets/preset-trial-contract.ts'
import { presetJobEndpoints } from './preset-jobs/preset-job-contract.ts'

export const mappingsContract = defineContract({
  service: 'mappings',
  base: '/svc/mappings/api/v1',
  errors: {
    not_found: 404,
    bad_expression: 400,
    bad_order: 400,
    bad_scroll: 400,
    bad_place: 400,
    too_many: 400,
    model_exists: 409,
    model_in_use: 409,
    model_changed: 409,
    model_not_yours: 403,
    model_invalid: 422,
    model_refers_to_itself: 422,
    no_such_model: 422,
    preset_exists: 409,
    preset_in_use: 409,
    preset_changed: 409,
    preset_invalid: 422,
    preset_path_missing: 422,
    no_such_preset: 422,
    device_not_allowed: 403,
    attributes_too_large: 422,
    attribute_refused: 422,
    label_taken: 409,
    segment_exists: 409,
    segment_is_dynamic: 409,
    nothing_selected: 422,
    unreadable_table: 422,
    import_token_refused: 422,
  },
  endpoints: {
    ...jobEndpoints,
    ...modelEndpoints,
    ...presetEndpoints,
    ...presetJobEndpoints,
    ...presetTrialEndpoints,
    ...trashEndpoints,
    ...bulkEndpoints,
    ...chosenEndpoints,
    ...describedEndpoints,
    ...importEndpoints,
    ...segmentEndpoints,
    ...fleetEndpoints,
    ...deviceEndpoints,
    ...moveEndpoints,
    /** For the platform: what it must know of a device to let it connect and to read its messages. */
    deviceForPlatform: {
      method: 'GET',
      path: '/internal/devices/:deviceId',
      access: 'service',
      params: z.object({ deviceId: z.string() }),
      result: z.object({
        deviceId,
        label: z.string(),
        realm: z.string(),
        orgResourceId: z.string(),
        /** Ids of the device groups (security policies) that the device is in. */
        groups: z.array(z.int()),
        /** JSON text of the DeviceConfiguration, byte for byte as it is sent; null without a preset. */
        configuration: z.string().nullable(),
        /** Values that the platform computes from others of the device; not part of the configuration. */
        formulas: z
          .array(
            z.object({
              path: z.string(),
              type: z.string(),
              history: z.boolean(),
              text: z.string(),
              missing: z.object({ fill: z.enum(fillPolicies), padding: z.enum(paddingPolicies) }),
              windows: FormulaWindows.optional(),
            }),
          )
          .optional(),
        /**
         * Words and limits of the preset's model about its paths; those without any are left out. Inside of
         * arrays a path stands for all items: `Oven:1/zones[*]/temperature`.
         */
        facts: z.array(
          z.object({
            path: z.string(),
            label: z.string(),
            unit: z.string(),
            description: z.string(),
            min: z.number().optional(),
            max: z.number().optional(),
          }),
        ),
      }),
    },
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
