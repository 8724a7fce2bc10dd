import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { lookupUrl } from './pairing.ts'
import { checkSettings, SettingsError } from './settings.ts'

const needed = { activationKey: 'AAAA-BBBB', endpoint: 'http://localhost:8080/' }

test('an activation key and an endpoint are enough: the agent then publishes host metrics', () => {
  const settings = checkSettings(needed)
  expect(settings.sources).toEqual([{ type: 'host', name: 'host', pollMs: 5_000 }])
  expect(settings.endpoint).toBe('http://localhost:8080')
  expect(path.isAbsolute(settings.dataDir)).toBe(true)
})

test('the documented example is valid', () => {
  const file = path.join(import.meta.dirname, '../edge.example.yaml')
  const { sources } = checkSettings(parse(readFileSync(file, 'utf8')))
  expect(sources.map(({ type }) => type)).toEqual([
    'host',
    'modbus',
    'opcua',
    'mqtt',
    's7',
    'ethernetip',
  ])
})

test('plain HTTP to another machine is refused at the first pairing, unless it is asked for', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'longreach-plain-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const given = { ...needed, dataDir }
  const elsewhere = { ...given, endpoint: 'http://portal.example:8080' }
  expect(() => checkSettings(elsewhere)).toThrow(/endpoint: .* is not encrypted.*--plain-http/)
  expect(() => checkSettings({ ...given, endpoint: 'http://127.0.0.1.example' })).toThrow(
    '--plain-http',
  )
  expect(checkSettings({ ...elsewhere, plainHttp: true }).plainHttp).toBe(true)
  for (const endpoint of ['https://portal.example', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
    expect(checkSettings({ ...given, endpoint }).endpoint).toBe(endpoint)
  await writeFile(path.join(dataDir, 'ca.crt'), 'of the first pairing')
  expect(checkSettings(elsewhere).endpoint).toBe('http://portal.example:8080')
})

const modbus = (tag: object) => ({
  ...needed,
  sources: [
    { type: 'modbus', host: 'plc', tags: [{ name: 'a', area: 'holding', address: 0, ...tag }] },
  ],
})
const bad: [string, object, string][] = [
  ['no key', { endpoint: 'http://localhost' }, '--activation-key'],
  ['no endpoint', { activationKey: 'AAAA' }, '--endpoint'],
  ['an endpoint without scheme', { ...needed, endpoint: 'localhost:8080' }, '--endpoint'],
  [
    'an unknown source',
    { ...needed, sources: [{ type: 'profinet' }] },
    'modbus, opcua, mqtt, s7, ethernetip or host',
  ],
  ['an unknown setting', { ...needed, colour: 'red' }, 'colour'],
  [
    'a source without tags',
    { ...needed, sources: [{ type: 'modbus', host: 'plc', tags: [] }] },
    'reads nothing',
  ],
  ['an unknown register type', modbus({ type: 'int12' }), 'sources.0.tags.0.type'],
  [
    'a writable input register',
    modbus({ area: 'input', writable: true }),
    'only holding registers and coils',
  ],
  ['a scale of nothing', modbus({ scale: 0 }), 'scale'],
  ['a negative address', modbus({ address: -1 }), 'addresses count from 0'],
  ['a buffer without size', { ...needed, buffer: { maxMB: 0 } }, 'buffer.maxMB'],
  [
    'two tags of one name',
    { ...needed, sources: [modbus({}).sources[0], modbus({}).sources[0]] },
    'two tags are called a',
  ],
]
test.each(bad)('%s is named with the way out', (_, raw, expected) => {
  expect(() => checkSettings(raw)).toThrow(SettingsError)
  expect(() => checkSettings(raw)).toThrow(expected)
})

test('sources that nobody named are called after their type', () => {
  const source = (tag: string) => ({ ...modbus({ name: tag }).sources[0] })
  const { sources } = checkSettings({ ...needed, sources: [source('a'), source('b')] })
  expect(sources.map(({ name }) => name)).toEqual(['modbus', 'modbus-2'])
})

test('the endpoint may be the portal or the pairing service itself', () => {
  expect(lookupUrl('http://portal:8080').href).toBe('http://portal:8080/pairing/api/v1/')
  expect(lookupUrl('https://pairing.example.org/api/v1').href).toBe(
    'https://pairing.example.org/api/v1',
  )
  expect(lookupUrl('http://portal/pairing/api/v1').href).toBe('http://portal/pairing/api/v1')
})

const main = path.join(import.meta.dirname, 'main.ts')

test('the program names every bad setting and ends with 2', async () => {
  const child = spawn(process.execPath, [main, '--endpoint', 'nowhere'])
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(code).toBe(2)
  expect(error).toContain('--activation-key')
  expect(error).toContain('--endpoint')
  const unknown = spawn(process.execPath, [main, '--frobnicate'])
  expect(await text(unknown.stderr)).toContain('--frobnicate')
})
