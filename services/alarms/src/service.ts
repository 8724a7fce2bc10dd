import { coreContract } from '@longreach/core/contract'
import { jobsPart } from '@longreach/kit/jobs-part'
import { defineService } from '@longreach/kit/service'
import { mappingsContract } from '@longreach/mappings/contract'
import { actionLog } from './action-log/part.ts'
import { actions } from './actions/part.ts'
import { alarmsContract } from './contract.ts'
import { devices } from './devices/part.ts'
import { occurrences } from './occurrences/part.ts'
import { pulse } from './pulse/part.ts'
import { report } from './report/part.ts'
import { rules } from './rules/part.ts'
import { search } from './search/part.ts'
import { settings } from './settings/part.ts'
import { shelves } from './shelves/part.ts'
import { views } from './views/part.ts'

export const alarms = defineService({
  contract: alarmsContract,
  needs: { core: coreContract, mappings: mappingsContract },
  migrations: new URL('migrations/', import.meta.url),
  parts: [
    devices,
    occurrences,
    rules,
    settings,
    search,
    report,
    shelves,
    views,
    actions,
    actionLog,
    pulse,
    jobsPart(alarmsContract),
  ],
})
