import net from 'node:net'

type S7Server = { port: number; close: () => Promise<void>; areas: Map<string, Buffer> }

const areaOf: Record<number, string> = { 0x81: 'I', 0x82: 'Q', 0x83: 'M' }
/** Return codes of an item: success, address out of range, object does not exist. */
const [done, outOfRange, noObject] = [0xff, 0x05, 0x0a]

/**
 * Part of an S7 controller that tests of the source need: ISO-on-TCP, COTP connection, setup of the
 * communication, reading and writing variables of bits and bytes in DB, M, I and Q.
 */
export async function startS7Server(areas: Record<string, number>): Promise<S7Server> {
  const memory = new Map(Object.entries(areas).map(([name, size]) => [name, Buffer.alloc(size)]))
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    let waiting = Buffer.alloc(0)
    socket.on('error', () => undefined) // `close` follows
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      waiting = Buffer.concat([waiting, data])
      while (waiting.length >= 4 && waiting.length >= waiting.readUInt16BE(2)) {
        const packet = waiting.subarray(0, waiting.readUInt16BE(2))
        waiting = waiting.subarray(packet.length)
        const answer = answerTo(packet, memory)
        if (answer) socket.write(answer)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    port,
    areas: memory,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const tpkt = (body: Buffer) => {
  const head = Buffer.from([3, 0, 0, 0])
  head.writeUInt16BE(body.length + 4, 2)
  return Buffer.concat([head, body])
}

function answerTo(packet: Buffer, memory: Map<string, Buffer>) {
  if (packet[5] === 0xe0) {
    // COTP connection request: confirm with source and destination exchanged.
    const confirm = Buffer.from(packet.subarray(4))
    confirm[1] = 0xd0
    packet.copy(confirm, 2, 8, 10)
    packet.copy(confirm, 4, 8, 10)
    return tpkt(confirm)
  }
  const s7 = packet.subarray(7)
  if (s7[0] !== 0x32) return undefined
  const parameter = s7.subarray(10, 10 + s7.readUInt16BE(6))
  const data = s7.subarray(10 + parameter.length)
  const reference = s7.readUInt16BE(4)
  switch (parameter[0]) {
    case 0xf0:
      return reply(reference, Buffer.from(parameter), Buffer.alloc(0))
    case 0x04:
      return reply(reference, parameter.subarray(0, 2), readItems(parameter, memory))
    case 0x05:
      return reply(reference, parameter.subarray(0, 2), writeItems(parameter, data, memory))
    default:
      return undefined
  }
}

function reply(reference: number, parameter: Buffer, data: Buffer) {
  const head = Buffer.from([0x32, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(reference, 4)
  head.writeUInt16BE(parameter.length, 6)
  head.writeUInt16BE(data.length, 8)
  return tpkt(Buffer.concat([Buffer.from([2, 0xf0, 0x80]), head, parameter, data]))
}

type Item = { bits: boolean; length: number; memory: Buffer | undefined; at: number; bit: number }

/** Items of a request: 12 bytes each, in S7-any notation. */
function itemsOf(parameter: Buffer, memory: Map<string, Buffer>): Item[] {
  return Array.from({ length: parameter[1] ?? 0 }, (_, index) => {
    const item = parameter.subarray(2 + index * 12, 14 + index * 12)
    const area = item[8] === 0x84 ? `DB${item.readUInt16BE(6)}` : (areaOf[item[8] ?? 0] ?? '')
    const address = item.readUIntBE(9, 3)
    return {
      bits: item[3] === 1,
      length: item.readUInt16BE(4) * (item[3] === 4 ? 2 : 1),
      memory: memory.get(area),
      at: address >> 3,
      bit: address & 7,
    }
  })
}

const faultOf = ({ memory, at, length }: Item) => {
  if (!memory) return noObject
  return at + length > memory.length ? outOfRange : undefined
}

function readItems(parameter: Buffer, memory: Map<string, Buffer>) {
  const items = itemsOf(parameter, memory)
  return Buffer.concat(
    items.map((item, index) => {
      const fault = faultOf(item)
      if (fault !== undefined || !item.memory) return Buffer.from([fault ?? noObject, 0, 0, 0])
      const content = item.bits
        ? Buffer.from([((item.memory[item.at] ?? 0) >> item.bit) & 1])
        : item.memory.subarray(item.at, item.at + item.length)
      const head = Buffer.from([done, item.bits ? 3 : 4, 0, 0])
      head.writeUInt16BE(item.bits ? item.length : content.length * 8, 2)
      // Every item but the last has an even length.
      const odd = content.length % 2 === 1 && index < items.length - 1
      return Buffer.concat([head, content, Buffer.alloc(odd ? 1 : 0)])
    }),
  )
}

function writeItems(parameter: Buffer, data: Buffer, memory: Map<string, Buffer>) {
  let at = 0
  const codes = itemsOf(parameter, memory).map((item) => {
    const size = data.readUInt16BE(at + 2)
    const length = data[at + 1] === 4 ? size / 8 : size
    const content = data.subarray(at + 4, at + 4 + length)
    at += 4 + length + (length % 2)
    const fault = faultOf(item)
    if (fault !== undefined || !item.memory) return fault ?? noObject
    if (!item.bits) content.copy(item.memory, item.at)
    else {
      const rest = (item.memory[item.at] ?? 0) & ~(1 << item.bit)
      item.memory[item.at] = rest | ((content[0] ?? 0) << item.bit)
    }
    return done
  })
  return Buffer.from(codes)
}
