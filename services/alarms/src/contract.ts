import { joinContracts } from '@longreach/kit/contract'
import { jobContract } from '@longreach/kit/job-contract'
import { actionLogContract } from './action-log/contract.ts'
import { actionsContract } from './actions/contract.ts'
import { occurrencesContract } from './occurrences/contract.ts'
import { pulseContract } from './pulse/contract.ts'
import { reportContract } from './report/contract.ts'
import { rulesContract } from './rules/contract.ts'
import { searchContract } from './search/contract.ts'
import { settingsContract } from './settings/contract.ts'
import { shelvesContract } from './shelves/contract.ts'
import { viewsContract } from './views/contract.ts'

export const alarmsContract = joinContracts(
  {
    service: 'alarms',
    base: '/svc/platform/api/v1/alarms',
    errors: { not_found: 404 },
  },
  [
    occurrencesContract,
    rulesContract,
    settingsContract,
    shelvesContract,
    searchContract,
    reportContract,
    viewsContract,
    actionsContract,
    actionLogContract,
    pulseContract,
    jobContract,
  ],
)
