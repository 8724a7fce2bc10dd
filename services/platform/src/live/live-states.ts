import type { DevicesState } from '../devices/devices-state.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import type { LiveHub } from './live-hub.ts'
import type { Watching } from './live-watching.ts'

/** States that live sockets read. */
export type LiveStates = Pick<DevicesState, 'directory'> & {
  hub: LiveHub
  watching: Watching
  telemetry: OpenTelemetry
}
