import {
  activationKeyFingerprint,
  newActivationKey,
} from '@longreach/device-protocol/activation-key'
import type { z } from 'zod'
import type { MappingsDeps } from '../deps.ts'
import type { importEvents } from './import-contract.ts'

/** Label that the encrypted keys of an import are bound to. */
export const sealLabelOf = (id: number) => `mappings.device-import.${id}`

type Told = z.output<typeof importEvents.activationKeyMade.payload>
type For = Omit<Told, 'fingerprint'>

/** New activation key of a device: sealed for the sheet of the import, and the event by which platform accepts it. */
export function makeActivationKey({ secrets }: MappingsDeps, importId: number, made: For) {
  const key = newActivationKey()
  const event: Told = { ...made, fingerprint: activationKeyFingerprint(secrets, key) }
  return { sealed: secrets.seal(sealLabelOf(importId), key), event }
}
