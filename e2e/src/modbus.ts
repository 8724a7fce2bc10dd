import { createRequire } from 'node:module'

/** Part of the library in use; its types describe another module form. */
type ModbusRTU = {
  connectTCP: (host: string, options: { port: number }) => Promise<void>
  setID: (id: number) => void
  readHoldingRegisters: (first: number, count: number) => Promise<{ data: number[] }>
  close: (done: () => void) => void
}

const Modbus = createRequire(import.meta.url)('modbus-serial') as new () => ModbusRTU

/** Look into a Modbus TCP machine, beside the agent that reads it. */
export class ModbusReader {
  readonly #client: ModbusRTU

  private constructor(client: ModbusRTU) {
    this.#client = client
  }

  /** `host:port` */
  static async open(address: string) {
    const [host = '', port = ''] = address.split(':')
    const client = new Modbus()
    await client.connectTCP(host, { port: Number(port) })
    client.setID(1)
    return new ModbusReader(client)
  }

  async holding(register: number) {
    const { data } = await this.#client.readHoldingRegisters(register, 1)
    return data[0]
  }

  close() {
    return new Promise<void>((done) => this.#client.close(() => done()))
  }
}
