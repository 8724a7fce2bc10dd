import { expect, test } from 'vitest'
import { instanceUuid, modelAndPreset, modelName } from './quick-preset.ts'

test('a label becomes a name that models allow', () => {
  expect(modelName('Oven 3 (hall B)')).toBe('Oven_3_hall_B')
  expect(modelName('3rd floor')).toBe('M3rd_floor')
  expect(modelName('Öfen')).toBe('O_fen')
})

test('each announced tag gets a property that is linked to it', () => {
  const { model, preset, count } = modelAndPreset(
    'Pump',
    [{ name: 'pump.speed', type: 'double' }],
    'u',
  )
  expect(count).toBe(1)
  expect(model.data.properties).toEqual({ pump_speed: { type: 'double' } })
  expect(preset.data.properties['pump_speed']).toMatchObject({ datalink: { source: 'pump.speed' } })
  expect(preset.data.instanceOf).toBe(model.data.instanceOf)
})

test('tags whose names fall together stay apart', () => {
  const announced = ['a.b', 'a/b', 'a_b'].map((name) => ({ name, type: 'integer' }))
  expect(Object.keys(modelAndPreset('x', announced, 'u').model.data.properties)).toEqual([
    'a_b',
    'a_b_2',
    'a_b_3',
  ])
})

test('a tag of a type that no model has is left out', () => {
  expect(modelAndPreset('x', [{ name: 's', type: 'struct' }], 'u').count).toBe(0)
})

test('an instance id is 16 lower-case letters and digits', () => {
  expect(instanceUuid()).toMatch(/^[a-z0-9]{16}$/)
})
