import { joinContracts } from '@longreach/kit/contract'
import { jobContract } from '@longreach/kit/job-contract'
import { agentsContract } from './agents/contract.ts'
import { controlContract } from './control/contract.ts'
import { devicesContract } from './devices/contract.ts'
import { exportsContract } from './exports/contract.ts'
import { formulasContract } from './formulas/contract.ts'
import { linesContract } from './lines/contract.ts'
import { overviewContract } from './overview/contract.ts'
import { pairingContract } from './pairing/contract.ts'
import { pulseContract } from './pulse/contract.ts'
import { queriesContract } from './queries/contract.ts'
import { rehearsalContract } from './rehearsal/contract.ts'
import { rulesContract } from './rules/contract.ts'
import { storageContract } from './storage/contract.ts'
import { telemetryContract } from './telemetry/contract.ts'
import { timeLineContract } from './time-line/contract.ts'
import { valuesContract } from './values/contract.ts'
import { viewsContract } from './views/contract.ts'
import { writesContract } from './writes/contract.ts'

export const platformContract = joinContracts(
  {
    service: 'platform',
    base: '/svc/platform/api/v1',
    errors: {
      not_found: 404,
      bad_query: 400,
      /** More than one answer can hold; the message says what to ask for instead. */
      too_large: 422,
      no_such_path: 422,
      device_offline: 409,
      /** The device did not answer in time. */
      timeout: 503,
      /** The process that the device is connected to could not be asked. */
      unreachable: 503,
    },
  },
  [
    jobContract,
    pairingContract,
    formulasContract,
    agentsContract,
    timeLineContract,
    storageContract,
    devicesContract,
    linesContract,
    controlContract,
    rehearsalContract,
    queriesContract,
    viewsContract,
    exportsContract,
    valuesContract,
    writesContract,
    rulesContract,
    overviewContract,
    telemetryContract,
    pulseContract,
  ],
)
