import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { startS7Server } from './s7-server-for-tests.ts'
import { s7Source } from './source-s7.ts'
import { checkSources, type S7Settings } from './source-settings.ts'
import { createTagTable } from './tags.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})
const poll = { timeout: 60_000, interval: 20 }

const tags = [
  { name: 'level', area: 'DB', db: 4, offset: 0, type: 'real', writable: true },
  { name: 'count', area: 'DB', db: 4, offset: 4, type: 'dint' },
  { name: 'speed', area: 'DB', db: 4, offset: 8, type: 'int', scale: 0.1, writable: true },
  { name: 'on', area: 'DB', db: 4, offset: 10, type: 'bool', bit: 3, writable: true },
  { name: 'precise', area: 'DB', db: 4, offset: 12, type: 'lreal' },
  { name: 'recipe', area: 'DB', db: 4, offset: 20, type: 'string', length: 10, writable: true },
  { name: 'marker', area: 'M', offset: 2, type: 'word', writable: true },
  { name: 'markerBit', area: 'M', offset: 5, type: 'bool', bit: 6 },
  { name: 'input', area: 'I', offset: 0, type: 'byte' },
  { name: 'output', area: 'Q', offset: 4, type: 'dword' },
]

async function server() {
  const plc = await startS7Server({ DB4: 64, M: 16, I: 8, Q: 16 })
  ends.push(plc.close)
  const block = plc.areas.get('DB4') ?? Buffer.alloc(0)
  block.writeFloatBE(21.7, 0)
  block.writeInt32BE(-70_000, 4)
  block.writeInt16BE(1_234, 8)
  block[10] = 0b0000_0010
  block.writeDoubleBE(Math.PI, 12)
  block.set([10, 5, ...Buffer.from('OVEN7')], 20)
  plc.areas.get('M')?.writeUInt16BE(65_000, 2)
  plc.areas.get('M')?.writeUInt8(0b0100_0000, 5)
  plc.areas.get('I')?.writeUInt8(200, 0)
  plc.areas.get('Q')?.writeUInt32BE(4_000_000_000, 4)
  return { plc, block }
}

function started(port: number, more: object[] = []) {
  const checked = checkSources([
    {
      type: 's7',
      host: '127.0.0.1',
      port,
      pollMs: 50,
      timeoutMs: 30_000,
      tags: [...tags, ...more],
    },
  ])
  if (!checked.ok) throw new Error(`${checked.field}: ${checked.message}`)
  const source = s7Source(checked.sources[0] as S7Settings, pino({ level: 'silent' }))
  const table = createTagTable()
  source.start((readings) => table.accept(readings))
  ends.push(source.stop)
  return { source, table }
}

test('an S7 controller is read in DB, M, I and Q with every type', async () => {
  const { plc } = await server()
  const { table, source } = started(plc.port)
  const values = () => Object.fromEntries(tags.map(({ name }) => [name, table.value(name)]))
  await expect.poll(values, poll).toEqual({
    level: 21.7,
    count: -70_000,
    speed: 123.4,
    on: false,
    precise: Math.PI,
    recipe: 'OVEN7',
    marker: 65_000,
    markerBit: true,
    input: 200,
    output: 4_000_000_000,
  })
  const types = source.tags().map(({ name, type }) => `${name} ${type}`)
  expect(types).toContain('output double')
  expect(types).toContain('marker integer')
})

test('a value written to an S7 controller is in its memory and read back', async () => {
  const { plc, block } = await server()
  const { source, table } = started(plc.port)
  await expect.poll(() => table.value('level'), poll).toBe(21.7)
  expect(await source.write('level', 80.5)).toBe(80.5)
  expect(block.readFloatBE(0)).toBe(80.5)
  expect(await source.write('speed', -12.3)).toBe(-12.3)
  expect(block.readInt16BE(8)).toBe(-123)
  expect(await source.write('on', true)).toBe(true)
  expect(block[10]).toBe(0b0000_1010)
  expect(await source.write('recipe', 'PUMP')).toBe('PUMP')
  expect(await source.write('marker', 7)).toBe(7)
  await expect(source.write('speed', 5_000)).rejects.toThrow('does not fit')
  await expect(source.write('input', 1)).rejects.toThrow('cannot be written')
})

test('a block that the controller lacks is bad with the way out, and the others go on', async () => {
  const { plc } = await server()
  const absent = { name: 'absent', area: 'DB', db: 99, offset: 0, type: 'int' }
  const { table } = started(plc.port, [absent])
  await expect.poll(() => table.value('level'), poll).toBe(21.7)
  await expect
    .poll(() => table.last('absent'), poll)
    .toMatchObject({ good: false, reason: expect.stringContaining('PUT/GET') })
})

test('a controller that goes away makes its tags bad, and they come back with it', async () => {
  const { plc } = await server()
  const { table } = started(plc.port)
  await expect.poll(() => table.value('level'), poll).toBe(21.7)
  await plc.close()
  await expect.poll(() => table.last('level')?.good, poll).toBe(false)
})

const refused: [string, object, string][] = [
  ['a data block without a number', { area: 'DB' }, '0.tags.0.db'],
  ['a writable input', { area: 'I', writable: true }, '0.tags.0.writable'],
  ['a string outside of blocks', { area: 'M', type: 'string' }, '0.tags.0.type'],
  ['an unknown type', { area: 'M', type: 'float' }, '0.tags.0.type'],
]
test.each(refused)('%s is named by its field', (_, tag, field) => {
  const whole = { name: 'a', offset: 0, type: 'int', ...tag }
  expect(checkSources([{ type: 's7', host: 'plc', tags: [whole] }])).toMatchObject({
    ok: false,
    field,
  })
})
