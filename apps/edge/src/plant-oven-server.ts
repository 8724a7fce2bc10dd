import type net from 'node:net'
import { once } from 'node:events'
import { type IServiceVector, ServerTCP } from 'modbus-serial'
import { advance, fastClock, type Machine, plainMachine, readMachine } from './plant-machine.ts'
import { type Oven, ovenPhysics } from './plant-oven-physics.ts'
import { within } from './plant-random.ts'

type OvenOptions = {
  port: number
  host: string
  seed: number
  speed: number
  /** Machine in its present state; absent: a new one with this seed. */
  machine?: Machine<Oven>
}
export type OvenServer = { port: number; oven: Oven; close: () => Promise<void> }

const illegalAddress = Object.assign(new Error('illegal data address'), { modbusErrorCode: 2 })
const illegalValue = Object.assign(new Error('illegal data value'), { modbusErrorCode: 3 })
const tickMs = 200

/** Addresses, all from 0: holding 0–2 set-points ×0.1 °C, 3 speed ×0.01 m/min; coil 0 heater enable. */
const ovenAddresses = {
  holding: { setPoint: 0, speedSetPoint: 3 },
  input: { temperature: 0, power: 3, speed: 6, products: 7, energy: 9 },
  coil: { heaterEnabled: 0 },
  discrete: { doorOpen: 0, fault: 1 },
} as const

/**
 * Starts an oven line as a Modbus TCP device. `speed` is how many simulated seconds pass in one
 * real second.
 */
export async function startOven(options: OvenOptions): Promise<OvenServer> {
  const { port, host, seed, speed, machine = plainMachine(ovenPhysics, seed) } = options
  const oven = machine.state
  const server = new ServerTCP(vectorOf(machine), { host, port: String(port) as unknown as number }) // as text, because the library takes 0 for the standard port
  const failed = once(server, 'serverError').then(([error]) => {
    throw error
  })
  server.on('socketError', () => undefined) // a client disconnected; the socket is closed already
  await Promise.race([once(server, 'initialized'), failed])
  failed.catch(() => undefined) // not awaited after the start
  const clock = fastClock(speed)
  const timer = setInterval(() => advance(machine, clock()), tickMs)
  const { _server } = server as unknown as { _server: net.Server } // the only way to the chosen port
  const address = _server.address() as net.AddressInfo // a TCP server that listens has one
  return {
    port: address.port,
    oven,
    async close() {
      clearInterval(timer)
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function vectorOf(machine: Machine<Oven>): IServiceVector {
  const { state: oven } = machine
  return {
    getHoldingRegister: (address: number) => requireItem(holdingRegisters(oven), address),
    getInputRegister: (address: number) => requireItem(inputRegisters(machine), address),
    getCoil: (address: number) => requireItem([oven.heaterEnabled], address),
    getDiscreteInput: (address: number) => requireItem([oven.doorOpen, oven.fault], address),
    setRegister: (address: number, value: number) => setRegister(oven, address, value),
    setCoil: (address: number, value: boolean) => {
      if (address !== 0) throw illegalAddress
      oven.heaterEnabled = value
    },
  }
}

function requireItem<T>(items: readonly T[], address: number): T {
  const item = items[address]
  if (item === undefined) throw illegalAddress
  return item
}

function setRegister(oven: Oven, address: number, value: number) {
  const zone = oven.zones[address]
  if (zone) {
    if (value > 3_000) throw illegalValue
    zone.setPoint = value / 10
  } else if (address === ovenAddresses.holding.speedSetPoint) {
    if (value > 1_000) throw illegalValue
    oven.speedSetPoint = value / 100
  } else {
    throw illegalAddress
  }
}

const holdingRegisters = (oven: Oven) => [
  ...oven.zones.map(({ setPoint }) => Math.round(setPoint * 10)),
  Math.round(oven.speedSetPoint * 100),
]

/**
 * Input registers: int16 ×0.1 °C three times, uint16 ×0.1 % three times, uint16 ×0.01 m/min,
 * uint32, float32; all big-endian.
 */
function inputRegisters(machine: Machine<Oven>): number[] {
  const shown = readMachine(machine, Date.now())
  const number = (path: string) => Number(shown[path])
  const wide = Buffer.alloc(8)
  wide.writeUInt32BE(number('products'), 0)
  wide.writeFloatBE(number('energy'), 4)
  const zones = [1, 2, 3]
  return [
    ...zones.map((zone) => {
      const temperature = within(number(`zone${zone}/temperature`), -300, 3_000)
      return Math.round(temperature * 10) & 0xffff
    }),
    ...zones.map((zone) => Math.round(number(`zone${zone}/power`) * 10)),
    Math.round(number('conveyor/speed') * 100),
    wide.readUInt16BE(0),
    wide.readUInt16BE(2),
    wide.readUInt16BE(4),
    wide.readUInt16BE(6),
  ]
}
