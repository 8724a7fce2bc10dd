import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import mqtt from 'mqtt'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { browseOpcua, opcuaEndpoints, searchOpcua } from './browse-opcua.ts'
import { listenMqtt, placesIn } from './listen-mqtt.ts'
import { startTestBroker } from './mqtt-broker-for-tests.ts'
import { startOven } from './plant-oven-server.ts'
import { startPumps } from './plant-pumps-server.ts'
import { readS7 } from './read-s7.ts'
import { startS7Server } from './s7-server-for-tests.ts'
import { guessesAt, scanModbus } from './scan-modbus.ts'
import { SourceConnection } from './source-settings.ts'
import { testSource } from './test-source.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function context() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'longreach-browse-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  return { dataDir, log: pino({ level: 'silent' }) }
}
const connection = (source: object) => SourceConnection.parse(source)

test('an OPC UA server is browsed node by node, with types, values and namespaces', async () => {
  const pumps = await startPumps({ port: 0, host: '127.0.0.1', seed: 1, speed: 1 })
  ends.push(pumps.close)
  const own = await context()
  const source = connection({ type: 'opcua', url: pumps.url })
  const top = await browseOpcua(source, undefined, own)
  expect(top.namespaces?.[0]).toBe('http://opcfoundation.org/UA/')
  const station = top.nodes.find(({ name }) => name === 'PumpStation')
  expect(station).toMatchObject({ kind: 'object', node: 'ns=1;s=PumpStation' })
  const { nodes } = await browseOpcua(source, station?.node, own)
  expect(nodes.find(({ name }) => name === 'Pump1.SpeedSetPoint')).toMatchObject({
    node: 'ns=1;s=Pump1.SpeedSetPoint',
    kind: 'variable',
    dataType: 'Double',
    type: 'double',
    value: 85,
    writable: true,
  })
  expect(nodes.find(({ name }) => name === 'Pump1.Running')?.type).toBe('boolean')
  const found = await searchOpcua(source, 'bearing', own)
  expect(found.nodes.map(({ name }) => name)).toContain('Pump2.BearingTemperature')
  expect(found.nodes[0]?.path).toBe('PumpStation')
  const { endpoints } = await opcuaEndpoints(pumps.url, own)
  expect(endpoints[0]).toMatchObject({ security: 'None', policy: 'None', users: ['Anonymous'] })
  await expect(browseOpcua(source, 'ns=1;s=Nothing', own)).rejects.toThrow('BadNodeIdUnknown')
})

test('a Modbus device is scanned for units and registers, and types are guessed', async () => {
  const oven = await startOven({ port: 0, host: '127.0.0.1', seed: 1, speed: 1 })
  ends.push(oven.close)
  const { units, complete } = await scanModbus({
    host: '127.0.0.1',
    port: oven.port,
    units: [1],
    areas: ['holding', 'input', 'coil'],
    from: 0,
    count: 40,
    timeoutMs: 500,
  })
  expect(complete).toBe(true)
  const [unit] = units
  expect(unit).toMatchObject({ unit: 1, answers: true })
  const holding = unit?.areas.find(({ area }) => area === 'holding')
  expect(holding?.found.find(({ address }) => address === 0)?.raw).toBe(1_800)
  expect(holding?.found[0]?.guesses[0]).toMatchObject({ type: 'uint16', value: 1_800 })
  expect(unit?.areas.find(({ area }) => area === 'coil')?.found.length).toBeGreaterThan(0)
})

const registers = (...values: number[]) => new Map(values.map((value, index) => [index, value]))
test.each([
  ['a float', registers(0x41ad, 0x999a), { type: 'float32', wordOrder: 'ABCD' }],
  ['a float in the other order', registers(0x999a, 0x41ad), { type: 'float32', wordOrder: 'CDAB' }],
  ['a small number', registers(237, 0), { type: 'uint16', value: 237 }],
  ['a negative number', registers(0xffd8, 3), { type: 'int16', value: -40 }],
])('%s is the likeliest guess for its registers', (_, raw, expected) => {
  expect(guessesAt(0, raw)[0]).toMatchObject(expected)
})

test('a test of a source names each step, and the one that failed with what to do', async () => {
  const oven = await startOven({ port: 0, host: '127.0.0.1', seed: 1, speed: 1 })
  const own = await context()
  const tags = [{ name: 'temperature', area: 'input', address: 0 }]
  const source = connection({ type: 'modbus', host: '127.0.0.1', port: oven.port, tags })
  const good = await testSource(source, own)
  expect(good.steps.map(({ step, ok }) => [step, ok])).toEqual([
    ['reach', true],
    ['device', true],
    ['values', true],
  ])
  const address = `127.0.0.1:${oven.port}`
  expect(good.steps).toMatchObject([
    { code: 'reach.answers', values: { address, from: '127.0.0.1' } },
    { code: 'unit.answers', values: { unit: 1 } },
    { code: 'values.good', values: { good: 1, all: 1 } },
  ])
  expect(good.values[0]).toMatchObject({ tag: 'temperature', value: expect.any(Number) })
  await oven.close()
  const bad = await testSource(source, own)
  expect(bad.ok).toBe(false)
  expect(bad.steps).toHaveLength(1)
  const refused = { code: 'reach.refused', values: { address } }
  expect(bad.steps[0]).toMatchObject({ step: 'reach', ok: false, ...refused })
  expect(bad.steps[0]?.detail).toContain('nothing listens on this port')
})

test('the topics of a broker are heard with the places in their payloads', async () => {
  const broker = await startTestBroker()
  ends.push(broker.close)
  const url = `mqtt://127.0.0.1:${broker.port}`
  const source = connection({ type: 'mqtt', url })
  const client = await mqtt.connectAsync(url, { reconnectPeriod: 0 })
  ends.push(() => client.endAsync(true))
  const talking = setInterval(() => client.publish('hall/sensor', '{"climate":{"temp":21.5}}'), 20)
  ends.push(async () => clearInterval(talking))
  const { topics } = await listenMqtt(source, { source: {}, topic: 'hall/sensor', forMs: 600 })
  expect(topics).toMatchObject([
    { topic: 'hall/sensor', places: [{ path: 'climate.temp', value: 21.5, type: 'double' }] },
  ])
  expect(placesIn('21.5')).toEqual([{ path: '', value: 21.5, type: 'double' }])
  expect(placesIn('{"a":[true,{"b":"x"}]}').map(({ path: at }) => at)).toEqual(['a.0', 'a.1.b'])
})

test('memory of an S7 controller is shown with guesses, and a block that is not there with the way out', async () => {
  const plc = await startS7Server({ DB1: 32 })
  ends.push(plc.close)
  plc.areas.get('DB1')?.writeFloatBE(72.5, 4)
  plc.areas.get('DB1')?.writeInt16BE(-7, 8)
  const source = connection({ type: 's7', host: '127.0.0.1', port: plc.port })
  const asked = { source: {}, area: 'DB', db: 1, from: 4, count: 8 } as const
  const { places } = await readS7(source, asked)
  expect(places[0]).toMatchObject({
    offset: 4,
    guesses: [{ type: 'real', value: 72.5 }, {}, {}, {}],
  })
  expect(places[2]?.guesses[0]).toEqual({ type: 'int', value: -7 })
  await expect(readS7(source, { ...asked, db: 2 })).rejects.toThrow('PUT/GET')
})
