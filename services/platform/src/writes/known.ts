import type { DevicesState } from '../devices/devices-state.ts'
import type { DeviceLines } from '../mqtt/device-lines.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import type { Ingest } from '../values/ingest.ts'

/** States of other parts that writing a value needs. */
export type Known = DevicesState & {
  mqtt: DeviceLines
  telemetry: OpenTelemetry
  ingest: Ingest
}
