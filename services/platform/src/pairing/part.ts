import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { organizations } from '../organizations/part.ts'
import { releases } from '../releases/part.ts'
import { pairingContract } from './contract.ts'
import { pairingHandlers } from './pairing-handlers.ts'
import { mountPairing } from './pairing-routes.ts'

export const pairing = definePart<PlatformDeps>()({
  name: 'pairing',
  contract: pairingContract,
  uses: [organizations, releases],
  handlers: pairingHandlers,
  mount: mountPairing,
})
