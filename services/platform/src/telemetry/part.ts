import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { telemetryContract } from './contract.ts'
import { createTelemetry } from './open-telemetry.ts'

export const telemetry = definePart<PlatformDeps>()({
  name: 'telemetry',
  contract: telemetryContract,
  state: createTelemetry,
})
