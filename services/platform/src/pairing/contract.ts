import { definePartContract } from '@longreach/kit/contract'
import { pairingEndpoints, pairingErrors, pairingEvents } from './pairing-contract.ts'

export const pairingContract = definePartContract({
  errors: pairingErrors,
  endpoints: pairingEndpoints,
  events: pairingEvents,
})
