import type { MqttEndpoint } from './mqtt-endpoint.ts'

/** Connections of devices to this process; the endpoint is absent until it listens. */
export type DeviceLines = {
  endpoint?: MqttEndpoint
  /** Reads certificates again that another process, or a rotation, changed. */
  renew?: () => Promise<void>
}
