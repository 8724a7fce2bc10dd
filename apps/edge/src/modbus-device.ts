import modbus from 'modbus-serial'
import type { Value } from '@longreach/device-protocol/value'
import type { Place } from './modbus-blocks.ts'
import { encodeRegisters, type RegisterFormat, withBit } from './modbus-values.ts'
import type { ModbusSettings } from './source-settings.ts'

type Client = InstanceType<typeof modbus.default>

/**
 * Connection to a Modbus TCP device. Requests run one at a time, because many devices handle only
 * one.
 */
export function modbusDevice({
  host,
  port,
  timeoutMs,
}: Pick<ModbusSettings, 'host' | 'port' | 'timeoutMs'>) {
  let client: Client | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let leave: (reason: Error) => void = () => undefined
  let left: Promise<never> | undefined
  return {
    async open() {
      client = new modbus.default()
      const gone = Promise.withResolvers<never>()
      gone.promise.catch(() => undefined) // reported by the requests that wait for it
      ;[leave, left] = [gone.reject, gone.promise]
      // A lost connection is reported by the next request.
      client.on('error', () => undefined)
      client.setTimeout(timeoutMs)
      await client.connectTCP(host, { port, timeout: timeoutMs })
    },
    /** Runs `work` alone, with the unit's number set. */
    inTurn<T>(unit: number, work: (client: Client) => Promise<T>): Promise<T> {
      const mine = turn.then(async () => {
        if (!client?.isOpen) throw new Error('not connected')
        client.setID(unit)
        // The library never settles waiting requests when its socket is destroyed.
        return Promise.race([work(client), ...(left ? [left] : [])])
      })
      turn = mine.catch(() => undefined) // the caller gets the error; the next request starts anew
      return mine
    },
    close() {
      // The callback is not awaited: it is not called when the socket is closed already.
      client?.destroy(() => undefined)
      client = undefined
      leave(new Error('the connection was closed'))
    },
  }
}

/** Registers or coils of a place, in one request. */
export async function readPlace(client: Client, { area, address, size }: Place) {
  if (area === 'coil') return (await client.readCoils(address, size)).data
  if (area === 'discrete') return (await client.readDiscreteInputs(address, size)).data
  if (area === 'input') return (await client.readInputRegisters(address, size)).data
  return (await client.readHoldingRegisters(address, size)).data
}

/** Writes a value. Throws when it does not fit or the device refuses it. */
export async function writePlace(
  client: Client,
  { area, address, format }: Place & { format: RegisterFormat },
  value: Value,
) {
  if (area === 'coil') {
    await client.writeCoil(address, value === true)
  } else if (format.type === 'bit') {
    const [register = 0] = (await client.readHoldingRegisters(address, 1)).data
    await client.writeRegister(address, withBit(register, format.bit, value === true))
  } else {
    const registers = encodeRegisters(value, format)
    const [only] = registers
    if (registers.length === 1 && only !== undefined) await client.writeRegister(address, only)
    else await client.writeRegisters(address, registers)
  }
}

/** Refusal check: the device answered with a Modbus exception, so it is reachable. */
export const isRefusal = (error: unknown) =>
  typeof error === 'object' && error !== null && 'modbusCode' in error
