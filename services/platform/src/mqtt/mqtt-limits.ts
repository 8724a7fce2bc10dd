/** What one MQTT client, and all together, may take of this process. */
export const mqttLimits = {
  /** Bytes of one packet. */
  packet: 4 * 1024 * 1024,
  /** Bytes of a CONNECT packet. */
  connectPacket: 64 * 1024,
  /** Sockets that have not sent a good CONNECT yet, and the ms they have for it. */
  unauthenticated: 500,
  connectMs: 10_000,
  connections: 50_000,
  /** Connections with one certificate name. */
  connectionsOfIdentity: 20,
  subscriptions: 2_000,
  /** Messages of QoS 1 and 2 that wait for one client; then the oldest is dropped. */
  queued: 1_000,
  /** Seconds that a session outlives its connection at most. */
  sessionExpiryS: 3_600,
  /** Messages and bytes of one client that are not stored yet; then its socket is not read. */
  underWay: 2_000,
  underWayBytes: 4 * 1024 * 1024,
  /** Bytes that a client has not read; then messages to it wait or are dropped. */
  unread: 4 * 1024 * 1024,
  topicAliases: 64,
}
export type MqttLimits = typeof mqttLimits
