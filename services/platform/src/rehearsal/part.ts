import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { formulas } from '../formulas/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { rehearsalContract } from './contract.ts'
import { rehearsalHandlers } from './rehearsal-handlers.ts'

export const rehearsal = definePart<PlatformDeps>()({
  name: 'rehearsal',
  contract: rehearsalContract,
  uses: [telemetry, devices, formulas],
  handlers: ({ used, ...deps }) => rehearsalHandlers({ telemetry: used.telemetry.open }, deps),
})
