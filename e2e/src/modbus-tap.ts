import net from 'node:net'

type Read = { area: number; first: number; registers: Buffer }

/**
 * Proxy between a Modbus TCP client and its machine that passes everything on and records the
 * answers, to compare them with the client's values.
 */
export class ModbusTap {
  /** Values of one 32-bit input register pair, each time that it was answered. */
  readonly seen: number[] = []
  readonly #server: net.Server
  readonly #sockets = new Set<net.Socket>()

  private constructor(machinePort: number, register: number) {
    this.#server = net.createServer((client) => {
      const machine = net.connect(machinePort, '127.0.0.1')
      const requests = new Map<number, { area: number; first: number }>()
      const sides = [client, machine]
      for (const [index, side] of sides.entries()) {
        const other = sides[1 - index]
        this.#sockets.add(side)
        side.on('error', () => undefined) // the other side is closed with it
        side.on('close', () => other?.destroy())
        side.on('data', (data) => other?.write(data))
      }
      frames(client, (id, pdu) =>
        requests.set(id, { area: pdu.readUInt8(0), first: pdu.readUInt16BE(1) }),
      )
      frames(machine, (id, pdu) => {
        const request = requests.get(id)
        requests.delete(id)
        // An error answer has the highest bit of the function set.
        if (!request || pdu.readUInt8(0) !== request.area) return
        this.#note({ ...request, registers: pdu.subarray(2) }, register)
      })
    })
  }

  /** Listen before the machine on `machinePort` and record the input registers `register` and the next. */
  static async open(machinePort: number, register: number) {
    const tap = new ModbusTap(machinePort, register)
    await new Promise<void>((done) => tap.#server.listen(0, '127.0.0.1', done))
    return tap
  }

  get port() {
    return (this.#server.address() as net.AddressInfo).port // a TCP server that listens has one
  }

  #note({ area, first, registers }: Read, register: number) {
    const at = (register - first) * 2
    const inputRegisters = 4
    if (area !== inputRegisters || at < 0 || at + 4 > registers.length) return
    this.seen.push(registers.readUInt32BE(at))
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
    return new Promise<void>((done) => this.#server.close(() => done()))
  }
}

/** Cut a stream into messages: transaction, protocol and length of two bytes each, unit, function and data. */
function frames(socket: net.Socket, onFrame: (transaction: number, pdu: Buffer) => void) {
  let rest = Buffer.alloc(0)
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 6 && rest.length >= 6 + rest.readUInt16BE(4)) {
      const end = 6 + rest.readUInt16BE(4)
      onFrame(rest.readUInt16BE(0), rest.subarray(7, end))
      rest = rest.subarray(end)
    }
  })
}
