/** Limits of one MQTT client, one device, one network, and of all together. */
export const mqttLimits = {
  /** Bytes of one packet. */
  packet: 4 * 1024 * 1024,
  /** Bytes of a CONNECT packet. */
  connectPacket: 64 * 1024,
  /** Bytes of a topic that a client publishes to. */
  topic: 4 * 1024,

  /** Sockets that have not said who they are (no TLS hello yet): all, those of one network, ms. */
  silent: 5_000,
  silentOfNetwork: 1_000,
  helloMs: 3_000,
  /** Sockets between their TLS hello and a proven certificate: all, those of one network. */
  handshakes: 2_000,
  handshakesOfNetwork: 1_000,
  /** Sockets with a proven certificate that have not sent a good CONNECT: all, those of one certificate. */
  unauthenticated: 5_000,
  unauthenticatedOfCertificate: 40,
  /** Ms from the TLS hello to a good CONNECT. */
  connectMs: 10_000,

  /** Certificates that are looked up at a time, and ms that a socket waits for it; then the server is busy. */
  lookups: 8,
  lookupMs: 5_000,

  connections: 50_000,
  /** Connections of one device, and the sessions it has with those that wait for their client. */
  connectionsOfDevice: 20,
  sessionsOfDevice: 20,
  /** Filters of one device over all of its sessions, those with `+` or `#` among them, and their bytes. */
  filters: 2_000,
  wildcards: 100,
  filterBytes: 256 * 1024,
  /** Bytes of one filter. */
  filter: 1_024,
  /** Messages of QoS 1 and 2 that wait for one client; then the oldest is dropped. */
  queued: 1_000,
  /** Bytes of messages that wait for the clients of one device, sent and not confirmed included. */
  queuedBytes: 4 * 1024 * 1024,
  /** Seconds that a session outlives its connection at most. */
  sessionExpiryS: 3_600,
  /** Messages and bytes of one device that are not stored yet; then its sockets are not read. */
  underWay: 2_000,
  underWayBytes: 4 * 1024 * 1024,
  /** Bytes that the clients of one device have not read; then messages to them wait or are dropped. */
  unread: 4 * 1024 * 1024,
  /** Ms after which a client that still does not read is cut off. */
  unreadMs: 120_000,
  /** Bytes of unfinished packets of one device. */
  unfinishedBytes: 8 * 1024 * 1024,
  /** Ms for the rest of a packet, and the bytes a second that a long one must at least come with. */
  unfinishedMs: 30_000,
  unfinishedPerSecond: 4 * 1024,
  topicAliases: 64,
}
export type MqttLimits = typeof mqttLimits
