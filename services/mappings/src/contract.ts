import { joinContracts } from '@longreach/kit/contract'
import { jobContract } from '@longreach/kit/job-contract'
import { devicesContract } from './devices/contract.ts'
import { importsContract } from './imports/contract.ts'
import { modelsContract } from './models/contract.ts'
import { overviewContract } from './overview/contract.ts'
import { presetJobsContract } from './preset-jobs/contract.ts'
import { presetsContract } from './presets/contract.ts'
import { searchContract } from './search/contract.ts'
import { segmentsContract } from './segments/contract.ts'
import { trialsContract } from './trials/contract.ts'

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
  [
    jobContract,
    modelsContract,
    presetsContract,
    presetJobsContract,
    trialsContract,
    devicesContract,
    importsContract,
    segmentsContract,
    overviewContract,
    searchContract,
  ],
)
