import net from 'node:net'

type Value = { type: number; value: number | boolean }
type EthernetIpServer = {
  host: string
  tags: Map<string, Value>
  close: () => Promise<void>
}

export const cipTypes = { BOOL: 0xc1, INT: 0xc3, DINT: 0xc4, REAL: 0xca } as const
const sizes: Record<number, number> = { 0xc1: 1, 0xc3: 2, 0xc4: 4, 0xca: 4 }
const [register, unregister, sendRequest] = [0x65, 0x66, 0x6f]
const [attributes, readTag, writeTag, listTags, unconnectedSend] = [0x01, 0x4c, 0x4d, 0x55, 0x52]
const [success, pathUnknown, notOffered] = [0, 5, 8]

/**
 * Part of a Logix controller that tests of the source need: sessions, unconnected messages, the
 * identity, the list of symbols, and reading and writing tags of a single value. The protocol has a
 * fixed port, so each server has a loopback address of its own.
 */
export async function startEthernetIpServer(
  tags: Record<string, Value>,
): Promise<EthernetIpServer> {
  const memory = new Map(Object.entries(tags))
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    let waiting = Buffer.alloc(0)
    socket.on('error', () => undefined) // `close` follows
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      waiting = Buffer.concat([waiting, data])
      while (waiting.length >= 24 && waiting.length >= 24 + waiting.readUInt16LE(2)) {
        const packet = waiting.subarray(0, 24 + waiting.readUInt16LE(2))
        waiting = waiting.subarray(packet.length)
        const answer = answerTo(packet, memory)
        if (answer) socket.write(answer)
      }
    })
  })
  const host = `127.${1 + Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.${process.pid % 250}`
  await new Promise<void>((resolve) => server.listen(44_818, host, resolve))
  return {
    host,
    tags: memory,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerTo(packet: Buffer, memory: Map<string, Value>) {
  const command = packet.readUInt16LE(0)
  if (command === register) return encapsulated(packet, 0x1234, packet.subarray(24))
  if (command === unregister || command !== sendRequest) return undefined
  // Interface and timeout (6), item count (2), a null address (4), type and length of the data (4).
  const message = packet.subarray(24 + 16)
  const answer = service(message, memory)
  const items = Buffer.alloc(16)
  items.writeUInt16LE(2, 6)
  items.writeUInt16LE(0xb2, 12)
  items.writeUInt16LE(answer.length, 14)
  return encapsulated(packet, packet.readUInt32LE(4), Buffer.concat([items, answer]))
}

function encapsulated(asked: Buffer, session: number, data: Buffer) {
  const head = Buffer.from(asked.subarray(0, 24))
  head.writeUInt16LE(data.length, 2)
  head.writeUInt32LE(session, 4)
  head.writeUInt32LE(0, 8)
  return Buffer.concat([head, data])
}

const reply = (code: number, status: number, data = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([code | 0x80, 0, status, 0]), data])

function service(message: Buffer, memory: Map<string, Value>): Buffer {
  const code = message[0] ?? 0
  const pathEnd = 2 + (message[1] ?? 0) * 2
  const path = message.subarray(2, pathEnd)
  const data = message.subarray(pathEnd)
  switch (code) {
    case unconnectedSend:
      // Priority and ticks (2), the length of the message within (2), the message.
      return service(data.subarray(4, 4 + data.readUInt16LE(2)), memory)
    case attributes:
      return reply(code, success, identity())
    case listTags:
      return reply(code, success, symbols(memory))
    case readTag:
    case writeTag:
      return tagService(code, symbolOf(path), data, memory)
    default:
      return reply(code, notOffered)
  }
}

/** The symbolic segment of a path: 0x91, length, name. */
const symbolOf = (path: Buffer) => path.subarray(2, 2 + (path[1] ?? 0)).toString('latin1')

function tagService(code: number, name: string, data: Buffer, memory: Map<string, Value>) {
  const tag = memory.get(name)
  if (!tag) return reply(code, pathUnknown)
  const bytes = Buffer.alloc(sizes[tag.type] ?? 4)
  if (code === readTag) {
    put(bytes, tag)
    const type = Buffer.alloc(2)
    type.writeUInt16LE(tag.type, 0)
    return reply(code, success, Buffer.concat([type, bytes]))
  }
  if (data.readUInt16LE(0) !== tag.type) return reply(code, 0xff)
  tag.value = taken(data.subarray(4), tag.type)
  return reply(code, success)
}

function put(bytes: Buffer, { type, value }: Value) {
  if (type === cipTypes.REAL) bytes.writeFloatLE(Number(value))
  else if (type === cipTypes.DINT) bytes.writeInt32LE(Number(value))
  else if (type === cipTypes.INT) bytes.writeInt16LE(Number(value))
  else bytes[0] = value ? 0xff : 0
}

function taken(bytes: Buffer, type: number) {
  if (type === cipTypes.REAL) return bytes.readFloatLE(0)
  if (type === cipTypes.DINT) return bytes.readInt32LE(0)
  return type === cipTypes.INT ? bytes.readInt16LE(0) : bytes[0] !== 0
}

/** Vendor, type, code, revision 32.11, status, serial number, name. */
function identity() {
  const name = Buffer.from('TEST LOGIX')
  const head = Buffer.from([1, 0, 14, 0, 1, 0, 32, 11, 0, 0, 1, 2, 3, 4, name.length])
  return Buffer.concat([head, name])
}

/** Instance, length of the name, name, type. */
function symbols(memory: Map<string, Value>) {
  return Buffer.concat(
    [...memory].map(([name, { type }], index) => {
      const entry = Buffer.alloc(8 + name.length)
      entry.writeUInt32LE(index + 1, 0)
      entry.writeUInt16LE(name.length, 4)
      entry.write(name, 6, 'latin1')
      entry.writeUInt16LE(type, 6 + name.length)
      return entry
    }),
  )
}
