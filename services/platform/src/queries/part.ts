import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { telemetry } from '../telemetry/part.ts'
import { times } from '../times/part.ts'
import { queriesContract } from './contract.ts'
import { valueSearchHandlers } from './value-search.ts'

export const queries = definePart<PlatformDeps>()({
  name: 'queries',
  contract: queriesContract,
  uses: [times, telemetry, devices],
  handlers: ({ used }) => valueSearchHandlers(used.devices, used.telemetry.open),
})
