import { expect, test } from 'vitest'
import { modelsToChoose, versionsOf } from './model-filter.ts'

const version = (id: string, scope: string, organization: string) => ({ id, scope, organization })
const versions = [
  version('a1', 'Oven:1', 'nordwerk'),
  version('a2', 'Oven:1', 'nordwerk'),
  version('b', 'Oven:1', 'nordwerk.italy'),
  version('p', 'Pump:1', 'nordwerk'),
]
const shown = (wanted: Parameters<typeof modelsToChoose>[1]) =>
  modelsToChoose(versions, wanted).map(({ model, modelOf }) => [model, modelOf])

test('a name of several models is offered once for each organization that has one', () => {
  expect(shown({ model: undefined })).toEqual([
    ['Oven:1', 'nordwerk'],
    ['Oven:1', 'nordwerk.italy'],
    ['Pump:1', undefined],
  ])
  const keys = modelsToChoose(versions, { model: undefined }).map(({ key }) => key)
  expect(new Set(keys).size).toBe(3)
})

test('what the address names is offered too', () => {
  expect(shown({ model: 'Oven:1' }).at(-1)).toEqual(['Oven:1', undefined])
  expect(shown({ model: 'Saw:2' }).at(-1)).toEqual(['Saw:2', undefined])
  expect(shown({ model: 'Oven:1', modelOf: 'nordwerk' })).toHaveLength(3)
})

test('a rule means all versions of its model and none of another model of the name', () => {
  expect(versionsOf(versions, { model: 'Oven:1', modelId: 'a2' })).toEqual(['a1', 'a2'])
  expect(versionsOf(versions, { model: 'Oven:1', modelId: 'b' })).toEqual(['b'])
  expect(versionsOf(versions, { model: 'Oven:1' })).toEqual(['a1', 'a2', 'b'])
  expect(versionsOf(versions, { model: 'Oven:1', modelId: 'gone' })).toBeUndefined()
  expect(versionsOf(versions, { model: 'Saw:1' })).toBeUndefined()
})
