import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { devices } from '../devices/part.ts'
import { pairing } from '../pairing/part.ts'
import { overviewContract } from './contract.ts'
import { overviewHandlers } from './overview-handlers.ts'

export const overview = definePart<PlatformDeps>()({
  name: 'overview',
  contract: overviewContract,
  uses: [pairing, devices],
  handlers: ({ used, ...deps }) => overviewHandlers(used.devices, deps),
})
