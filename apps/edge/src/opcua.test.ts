import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { freePort } from './free-port-for-tests.ts'
import { startPumps } from './plant-pumps-server.ts'
import { checkSettings } from './settings.ts'
import type { OpcuaSettings } from './source-settings.ts'
import { opcuaSource, toOpcuaReading } from './source-opcua.ts'
import { badReading, createTagTable, goodReading, uncertainReading } from './tags.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const poll = { timeout: 60_000 }
const plant = (port = 0) => startPumps({ port, host: '127.0.0.1', seed: 1, speed: 1 })

async function started(url: string, extra: object[] = []) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'longreach-opcua-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  const tags = [
    { name: 'level', node: 'ns=1;s=Station.Level' },
    { name: 'running', node: 'ns=1;s=Pump1.Running', type: 'boolean' },
    { name: 'setPoint', node: 'ns=1;s=Pump1.SpeedSetPoint', writable: true },
    ...extra,
  ]
  const settings = checkSettings({
    activationKey: 'AAAA-BBBB',
    endpoint: 'http://localhost:1',
    sources: [{ type: 'opcua', url, samplingMs: 100, tags }],
  }).sources[0] as OpcuaSettings
  const source = opcuaSource(settings, { log: pino({ level: 'silent' }), dataDir })
  const table = createTagTable()
  source.start((readings) => table.accept(readings))
  ends.push(source.stop)
  return { source, table }
}

test('nodes are read and a set-point is written and read back', async () => {
  const pumps = await plant()
  ends.push(pumps.close)
  const { source, table } = await started(pumps.url)
  await expect.poll(() => table.value('setPoint'), poll).toBe(85)
  await expect.poll(() => table.value('running'), poll).toBeTypeOf('boolean')
  await expect.poll(() => table.value('level'), poll).toBeCloseTo(pumps.station.level, 0)
  expect(await source.write('setPoint', 62.5)).toBe(62.5)
  expect(pumps.station.pumps[0].speedSetPoint).toBe(62.5)
  await expect.poll(() => table.value('setPoint'), poll).toBe(62.5)
  await expect(source.write('setPoint', 150)).rejects.toThrow('BadOutOfRange')
  await expect(source.write('level', 1)).rejects.toThrow('cannot be written')
})

test('a node that the server does not have is bad and says why', async () => {
  const pumps = await plant()
  ends.push(pumps.close)
  const { table } = await started(pumps.url, [{ name: 'missing', node: 'ns=1;s=Nothing' }])
  await expect.poll(() => table.value('level'), poll).toBeTypeOf('number')
  await expect
    .poll(() => table.last('missing'), poll)
    .toMatchObject({
      good: false,
      reason: expect.stringContaining('BadNodeIdUnknown'),
    })
})

test('a server that goes away makes its tags bad, and they come back with it', async () => {
  const first = await plant(await freePort())
  const { table } = await started(first.url)
  await expect.poll(() => table.value('level'), poll).toBeTypeOf('number')
  await first.close()
  await expect.poll(() => table.last('level')?.good, poll).toBe(false)
  const second = await plant(first.port)
  ends.push(second.close)
  await expect.poll(() => table.value('level'), poll).toBeTypeOf('number')
})

test.each([
  ['Good', 0, goodReading('level', 7, 5)],
  ['UncertainSensorNotAccurate', 0x40_93_00_00, uncertainReading('level', 7, 5)],
  ['BadNoCommunication', 0x80_31_00_00, badReading('level', 'BadNoCommunication', 5)],
])('a value with the status %s is as good as that says', (name, value, reading) => {
  const statusCode = { name, value, isGood: () => value === 0 }
  const dataValue = { statusCode, value: { value: 7 }, sourceTimestamp: new Date(5) }
  expect(toOpcuaReading({ name: 'level', type: 'double' }, dataValue as never)).toEqual(reading)
})
