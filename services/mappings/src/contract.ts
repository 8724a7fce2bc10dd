import { deviceEvents } from '@longreach/core/device-event-contract'
import { defineContract } from '@longreach/kit/contract'
import { jobEndpoints } from '@longreach/kit/job-contract'
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
import { FormulaWindows } from './presets/formula-windows-contract.ts'
import { presetEndpoints } from './presets/preset-contract.ts'
import { presetTrialEndpoints } from './presets/preset-trial-contract.ts'
import { presetJobEndpoints } from './preset-jobs/preset-job-contract.ts'

export const mappingsContract = joinContracts(
  {
    service: 'mappings',
    base: '/svc/mappings/api/v1',
    errors: {
      not_found: 404,
      bad_expression: 400,
      bad_order: 400,
      nothing_selected: 422,
    },
  },
  events: deviceEvents,
})
