import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { pino } from 'pino'
import { modbusSource } from './source-modbus.ts'
import { freePort } from './free-port-for-tests.ts'
import { startOven, type OvenServer } from './plant-oven-server.ts'
import { checkSettings } from './settings.ts'
import type { ModbusSettings } from './source-settings.ts'
import { createTagTable, type Source } from './tags.ts'

const log = pino({ level: 'silent' })
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function oven(port = 0): Promise<OvenServer> {
  const server = await startOven({ port, host: '127.0.0.1', seed: 1, speed: 1 })
  ends.push(server.close)
  return server
}

function settingsFor(port: number, tags: object[], timeoutMs = 30_000): ModbusSettings {
  const source = { type: 'modbus', host: '127.0.0.1', port, pollMs: 50, timeoutMs, tags }
  const settings = checkSettings({
    activationKey: 'AAAA-BBBB',
    endpoint: 'http://localhost:1',
    sources: [source],
  })
  return settings.sources[0] as ModbusSettings
}

function started(settings: ModbusSettings) {
  const source: Source = modbusSource(settings, log)
  const table = createTagTable()
  source.start((readings) => table.accept(readings))
  ends.push(source.stop)
  return { source, table }
}

const ovenTags = [
  { name: 'temperature', area: 'input', address: 0, type: 'int16', scale: 0.1 },
  { name: 'power', area: 'input', address: 3, scale: 0.1 },
  { name: 'products', area: 'input', address: 7, type: 'uint32' },
  { name: 'energy', area: 'input', address: 9, type: 'float32' },
  { name: 'setPoint', area: 'holding', address: 0, scale: 0.1, writable: true },
  { name: 'heater', area: 'coil', address: 0, writable: true },
  { name: 'fault', area: 'discrete', address: 1 },
]

test('every area and type of a real device is read [E-06]', async () => {
  const server = await oven()
  const { source, table } = started(settingsFor(server.port, ovenTags))
  await expect.poll(() => table.value('fault')).toBe(false)
  await expect.poll(() => table.value('products')).toBe(server.oven.products)
  await expect
    .poll(() => table.value('temperature'))
    .toBeCloseTo(server.oven.zones[0].temperature, 0)
  await expect.poll(() => table.value('setPoint')).toBe(180)
  await expect.poll(() => table.value('heater')).toBe(true)
  expect(source.tags().map(({ type }) => type)).toEqual([
    'double',
    'double',
    'double',
    'double',
    'double',
    'boolean',
    'boolean',
  ])
})

test('a written set-point reaches the register and is read back', async () => {
  const server = await oven()
  const { source, table } = started(settingsFor(server.port, ovenTags))
  await expect.poll(() => table.value('setPoint')).toBe(180)
  expect(await source.write('setPoint', 201.5)).toBe(201.5)
  expect(server.oven.zones[0].setPoint).toBe(201.5)
  expect(await source.write('heater', false)).toBe(false)
  expect(server.oven.heaterEnabled).toBe(false)
  await expect.poll(() => table.value('setPoint')).toBe(201.5)
})

test('a write beyond the type or to a read-only tag is refused with the reason', async () => {
  const server = await oven()
  const { source, table } = started(settingsFor(server.port, ovenTags))
  await expect.poll(() => table.value('setPoint')).toBe(180)
  await expect(source.write('setPoint', 1e9)).rejects.toThrow('does not fit in uint16')
  await expect(source.write('setPoint', 301)).rejects.toThrow(/exception 3/i)
  await expect(source.write('temperature', 1)).rejects.toThrow('cannot be written')
  expect(server.oven.zones[0].setPoint).toBe(180)
})

test('a device that goes away makes its tags bad, and they come back with it', async () => {
  const server = await startOven({ port: await freePort(), host: '127.0.0.1', seed: 1, speed: 1 })
  const { table } = started(settingsFor(server.port, ovenTags, 500))
  await expect.poll(() => table.value('heater')).toBe(true)
  await server.close()
  await expect.poll(() => table.last('heater')?.good).toBe(false)
  await oven(server.port)
  await expect.poll(() => table.value('heater')).toBe(true)
})

test('a source that is stopped while it reads calls nothing bad', async () => {
  const asked = Promise.withResolvers<void>()
  const silent = net.createServer((socket) => void socket.once('data', () => asked.resolve()))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  ends.push(async () => void silent.close())
  const { port } = silent.address() as net.AddressInfo
  const { source, table } = started(settingsFor(port, ovenTags))
  await asked.promise
  await source.stop()
  expect(table.last('heater')).toBeUndefined()
})

test('an address that the device does not have spoils only its own tags', async () => {
  const server = await oven()
  const beyond = { name: 'beyond', area: 'holding', address: 500 }
  const { table } = started(settingsFor(server.port, [...ovenTags, beyond]))
  await expect.poll(() => table.value('setPoint')).toBe(180)
  await expect
    .poll(() => table.last('beyond'))
    .toMatchObject({ good: false, reason: expect.stringMatching(/exception 2/i) })
})
