import { DeviceConfiguration } from '@longreach/device-protocol/configuration'
import { expect, test } from 'vitest'
import { compilePreset } from './compile-preset.ts'
import { compiledPreset } from './preset-compiling.ts'

const struct = (n: number, map: string) => ({
  type: 'struct',
  datalink: { source: `tag ${n}`, note: map },
  properties: { a: { type: 'double' } },
})
const preset = (structs: number, map = '') => ({
  id: 'abcdefghij',
  uuid: 'abcdefghij012345',
  json: {
    type: 'object',
    instanceOf: 'Large:1.0.0',
    properties: Object.fromEntries(
      Array.from({ length: structs }, (_, n) => [`s${n}`, struct(n, map)]),
    ),
  },
})
const namesOf = (text: string) => {
  const { properties } = DeviceConfiguration.parse(JSON.parse(text))
  return properties['Large']?.interfaces.map((one) => one.interface_name) ?? []
}

test('a large preset compiles in another thread to the same bytes, and each struct has a name of its own', async () => {
  const large = preset(1_000)
  const text = await compiledPreset(large)
  expect(text).toBe(compilePreset(large))
  const names = namesOf(text)
  expect(new Set(names).size).toBe(1_000)
  // Another content is another interface, also where it is long.
  const other = namesOf(await compiledPreset(preset(1_000, 'x')))
  expect(names.filter((name) => other.includes(name))).toEqual([])
})

test('names of a short preset stay what they were', () => {
  expect(namesOf(compilePreset(preset(1)) ?? '')).toEqual(['com.exor.nz1vo7589i'])
})
