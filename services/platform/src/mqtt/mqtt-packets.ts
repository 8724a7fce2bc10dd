import mqttPacket, { type Packet, type Parser } from 'mqtt-packet'

type Reader = { parser: Parser; packet: Packet | undefined; fault: Error | undefined }

const readers = new Map<number, Reader>()

function createReader(protocolVersion?: number): Reader {
  const parser = mqttPacket.parser(protocolVersion === undefined ? {} : { protocolVersion })
  const reader: Reader = { parser, packet: undefined, fault: undefined }
  parser.on('packet', (packet) => (reader.packet = packet))
  parser.on('error', (error: Error) => (reader.fault = error))
  return reader
}

const connectType = 1

/**
 * One whole packet, or what is wrong with it. Connections share a reader for each version, since a
 * reader of its own would cost a silent connection kilobytes; a CONNECT, which changes its reader,
 * has one for itself. `version` is undefined before the CONNECT.
 */
export function readPacket(bytes: Buffer, version: number | undefined): Packet | Error {
  const shared = version !== undefined && (bytes[0] ?? 0) >> 4 !== connectType
  const reader = (shared ? readers.get(version) : undefined) ?? createReader(version)
  if (shared) readers.set(version, reader)
  reader.packet = undefined
  reader.parser.parse(bytes)
  const { packet, fault } = reader
  if (packet && !fault) return packet
  // The rest of the buffer is not used by anything else.
  if (shared) readers.delete(version)
  return fault ?? new Error('The packet is shorter than its parts')
}
