import { expect, test } from 'vitest'
import {
  instanceUuid,
  modelAndPreset,
  modelName,
  nextVersion,
  sameProperties,
} from './quick-preset.ts'

test('a label becomes a name that models allow', () => {
  expect(modelName('Oven 3 (hall B)')).toBe('Oven_3_hall_B')
  expect(modelName('3rd floor')).toBe('M3rd_floor')
  expect(modelName('Öfen')).toBe('O_fen')
})

test('each announced tag gets a property that is linked to it', () => {
  const { model, preset, count } = modelAndPreset(
    'Pump',
    [{ name: 'pump.speed', type: 'double' }],
    { uuid: 'u' },
  )
  expect(count).toBe(1)
  expect(model.data.properties).toEqual({ pump_speed: { type: 'double' } })
  expect(preset.data.properties['pump_speed']).toMatchObject({ datalink: { source: 'pump.speed' } })
  expect(preset.data.instanceOf).toBe(model.data.instanceOf)
})

test('tags whose names fall together stay apart', () => {
  const announced = ['a.b', 'a/b', 'a_b'].map((name) => ({ name, type: 'integer' }))
  expect(Object.keys(modelAndPreset('x', announced, { uuid: 'u' }).model.data.properties)).toEqual([
    'a_b',
    'a_b_2',
    'a_b_3',
  ])
})

test('a tag of a type that no model has is left out', () => {
  expect(modelAndPreset('x', [{ name: 's', type: 'struct' }], { uuid: 'u' }).count).toBe(0)
})

test('an instance id is 16 lower-case letters and digits', () => {
  expect(instanceUuid()).toMatch(/^[a-z0-9]{16}$/)
})

test('only a tag that the device announces as writable takes writes', () => {
  const announced = [
    { name: 'level', type: 'double' },
    { name: 'setPoint', type: 'double', writable: true },
    { name: 'odd', type: 'double', writable: 'yes' },
  ]
  const { properties } = modelAndPreset('x', announced, { uuid: 'u' }).preset.data
  const modes = Object.entries(properties).map(([name, node]) => [
    name,
    'mode' in node && node.mode,
  ])
  expect(modes).toEqual([
    ['level', 'R'],
    ['setPoint', 'RW'],
    ['odd', 'R'],
  ])
})

test('what an earlier attempt made is known again, in any order of its properties', () => {
  const [level, state] = [
    { name: 'level', type: 'double' },
    { name: 'state', type: 'string' },
  ]
  const one = modelAndPreset('x', [level, state], { uuid: 'u' })
  const again = modelAndPreset('x', [state, level], { uuid: 'v' })
  expect(sameProperties(one.model.data, again.model.data)).toBe(true)
  expect(sameProperties(one.preset.data, again.preset.data)).toBe(true)
  const less = modelAndPreset('x', [level], { uuid: 'u' })
  expect(sameProperties(one.model.data, less.model.data)).toBe(false)
  const written = modelAndPreset('x', [{ ...level, writable: true }, state], { uuid: 'u' })
  expect(sameProperties(one.preset.data, written.preset.data)).toBe(false)
})

test('a further version follows the newest', () => {
  expect(nextVersion('1.0.0')).toBe('1.1.0')
  expect(nextVersion('2.3.4')).toBe('2.4.0')
  expect(modelAndPreset('x', [], { uuid: 'u', version: '1.1.0' })).toMatchObject({
    model: { name: 'x:1.1.0' },
    preset: { name: 'x 1.1.0' },
  })
})
